/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware contexts, and the commands that wait in them. */
#ifndef EMU_XDNA_CONTEXT_H
#define EMU_XDNA_CONTEXT_H

#include "emu/xdna/device.h"
#include "emu/xdna/execute.h"

enum { XEMU_IN_FLIGHT = 4 };	/* HWCTX_MAX_CMDS */

struct xemu_context {
	bool used, configured;
	uint32_t columns;
	unsigned generation;		/* of the device */
	uint32_t units;			/* that are configured */
	uint64_t next;			/* the sequence of the next command */
	struct xemu_command command[XEMU_IN_FLIGHT];
	unsigned waiting;		/* commands that have not ended */
};

/* The context of that handle, or of that synchronisation object; NULL: there is
 * none. */
struct xemu_context *xemu_context(uint32_t handle);
struct xemu_context *xemu_context_of_syncobj(uint32_t syncobj);

#endif
