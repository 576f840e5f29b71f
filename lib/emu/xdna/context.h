/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware contexts, and the commands queued in them. */
#ifndef EMU_XDNA_CONTEXT_H
#define EMU_XDNA_CONTEXT_H

#include "emu/xdna/device.h"
#include "emu/xdna/execute.h"

enum { XEMU_IN_FLIGHT = 4 };	/* HWCTX_MAX_CMDS */

struct xemu_context {
	bool used, configured;
	uint32_t columns;
	unsigned generation;		/* the device's */
	uint32_t units;			/* number of configured units */
	uint64_t next;			/* sequence number of the next
					 * command */
	struct xemu_command command[XEMU_IN_FLIGHT];
	unsigned waiting;		/* commands that have not ended */
};

/* Return the context of a handle, or of a synchronisation object; NULL if it
 * does not exist. */
struct xemu_context *xemu_context(uint32_t handle);
struct xemu_context *xemu_context_of_syncobj(uint32_t syncobj);

#endif
