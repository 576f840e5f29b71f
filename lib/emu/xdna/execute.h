/* SPDX-License-Identifier: Apache-2.0 */
/* A command that runs on the emulated array. */
#ifndef EMU_XDNA_EXECUTE_H
#define EMU_XDNA_EXECUTE_H

#include "emu/xdna/device.h"

enum { XEMU_ARGUMENTS = 64 };

struct xemu_command {
	uint32_t packet;			/* handle */
	uint32_t argument[XEMU_ARGUMENTS];	/* handles */
	uint32_t arguments;
	uint32_t columns, units;		/* the context's */
	unsigned generation;			/* the device's */
	uint64_t sequence;
	int64_t submitted_ns;
};

/* Runs the command, and writes its final state into the packet. */
void xemu_execute(const struct xemu_command *c);

/* Forgets the stream that was executed last. */
void xemu_forget_stream(void);

#endif
