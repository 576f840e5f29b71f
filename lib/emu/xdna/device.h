/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The emulated XDNA device: the answers of Linux's amdxdna to the calls in
 * xdna_abi.h, and a device that executes instruction streams.
 *
 * Memory has two views, the processor's and the device's.  Only SYNC_BO copies
 * between them, as on a processor whose cache the device does not see.  Some
 * mistakes are silently accepted by a kernel, and the hardware then does not do
 * what the program intended.  Here such a mistake is EINVAL; comments mark
 * these places.
 *
 * Functions that answer a call return 0 or an errno.
 */
#ifndef EMU_XDNA_DEVICE_H
#define EMU_XDNA_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/xdna/kernel.h"
#include "xdna_abi.h"

/* ---- Memory ------------------------------------------------------------ */

struct xemu_bo {
	uint32_t type;		/* enum xdna_bo; 0: unused entry */
	uint64_t size;		/* whole pages */
	uint64_t address;	/* device address; XDNA_NOWHERE: the process's
				 * address is used */
	uint8_t *host;		/* processor's view; NULL: unmapped */
	uint64_t mapped;	/* bytes of host */
	uint8_t *device;	/* device's view; owned, except in a part of the
				 * heap */
	bool closed;		/* a heap whose handle was closed */
};

/* Begins without memory objects, with the rules of the kernel. */
void xemu_begin_memory(const struct xemu_kernel *kernel);
int xemu_create_bo(struct xdna_create_bo *c);
int xemu_bo_info(struct xdna_get_bo_info *g);
int xemu_sync_bo(const struct xdna_sync_bo *s);
int xemu_close_bo(const struct xdna_gem_close *c);
/* Finds the object that mmap() at the offset maps. */
int xemu_map_bo(uint64_t offset, size_t size, struct xemu_bo **bo);
/* Records that bo is mapped at p. */
void xemu_mapped(struct xemu_bo *bo, void *p, size_t size);
void xemu_unmapped(const void *p, size_t size);
/* Returns the memory object of the handle, or NULL. */
struct xemu_bo *xemu_bo(uint32_t handle);
/* Returns the heap, or NULL. */
struct xemu_bo *xemu_heap(void);
void xemu_free_bos(void);

/* ---- Contexts and commands --------------------------------------------- */

void xemu_begin_contexts(const struct xemu_kernel *kernel,
    const struct xemu_device *device);
int xemu_create_context(struct xdna_create_hwctx *c);
int xemu_configure(const struct xdna_config_hwctx *c);
int xemu_destroy_context(const struct xdna_destroy_hwctx *d);
int xemu_exec(struct xdna_exec_cmd *e);
int xemu_wait(const struct xdna_timeline_wait *w);
int xemu_wait_cmd(const struct xdna_wait_cmd *w);
void xemu_free_contexts(void);

#endif
