/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which kernel and which device are emulated: NPU_XDNA_KERNEL, NPU_XDNA_DEVICE.
 * Sources: Linux, drivers/accel/amdxdna, and drivers/gpu/drm/drm_syncobj.c.
 */
#ifndef EMU_XDNA_KERNEL_H
#define EMU_XDNA_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

struct xemu_kernel {
	const char *name;
	/* The device uses the process's own addresses (SVA), so that
	 * GET_BO_INFO has no address for a buffer. */
	bool shared_addresses;
	/* Commands are memory of a type of their own, which is mapped once, as
	 * all memory is, and neither synchronised nor an argument. */
	bool own_commands;
	bool checks_pad;	/* GET_BO_INFO */
	bool has_wait_cmd;
	int heap_missing;	/* errno of memory in a heap that is not
				   there, or not mapped */
	int heap_twice;		/* errno of a second heap */
};

struct xemu_device {
	const char *name;
	uint16_t columns, rows, core_rows, memory_rows;
	unsigned generation;	/* of its instruction streams */
	unsigned contexts;	/* at a time */
};

/* The first of each, unless the environment names another.  NULL after a
 * message on stderr: it names what is not known. */
const struct xemu_kernel *xemu_kernel(void);
const struct xemu_device *xemu_device(void);

#endif
