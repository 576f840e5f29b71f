/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel and the device that are emulated: NPU_XDNA_KERNEL,
 * NPU_XDNA_DEVICE.  Sources: Linux, drivers/accel/amdxdna, and
 * drivers/gpu/drm/drm_syncobj.c.
 */
#ifndef EMU_XDNA_KERNEL_H
#define EMU_XDNA_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

struct xemu_kernel {
	const char *name;
	/* The device uses the process's addresses (SVA), so GET_BO_INFO reports
	 * no device address of a buffer. */
	bool shared_addresses;
	/* Commands have a memory type of their own.  Such memory can be mapped
	 * once, like all memory, but it cannot be synchronised or used as an
	 * argument. */
	bool own_commands;
	bool checks_pad;	/* in GET_BO_INFO */
	bool has_wait_cmd;
	int heap_missing;	/* errno for memory in a heap that does not
				 * exist or is not mapped */
	int heap_twice;		/* errno for a second heap */
};

struct xemu_device {
	const char *name;
	uint16_t columns, rows, core_rows, memory_rows;
	unsigned generation;	/* of its instruction streams */
	unsigned contexts;	/* maximum at a time */
};

/* Return the kernel and the device that the environment names, or the first in
 * the table if the variable is unset.  For an unknown name they print a message
 * on stderr and return NULL. */
const struct xemu_kernel *xemu_kernel(void);
const struct xemu_device *xemu_device(void);

#endif
