/* SPDX-License-Identifier: Apache-2.0 */
/* The packet of a command: a word of state, a mask of units, a register map. */
#ifndef EMU_XDNA_PACKET_H
#define EMU_XDNA_PACKET_H

#include "emu/xdna/device.h"

enum { XEMU_BUFFERS = 5 };	/* addresses that the firmware translates */

struct xemu_packet {
	unsigned unit;
	uint64_t opcode, instructions, length, buffer[XEMU_BUFFERS];
};

/* Reads it.  False: the kernel does not hand such a packet to the device; it
 * would take any state and type, but they are then not what was meant. */
bool xemu_read_packet(const struct xemu_bo *b, struct xemu_packet *p);
void xemu_set_state(const struct xemu_bo *b, uint32_t state);

#endif
