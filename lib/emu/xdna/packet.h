/* SPDX-License-Identifier: Apache-2.0 */
/* The packet of a command: a state word, a mask of units, and a register
 * map. */
#ifndef EMU_XDNA_PACKET_H
#define EMU_XDNA_PACKET_H

#include "emu/xdna/device.h"

enum { XEMU_BUFFERS = 5 };	/* addresses translated by the firmware */

struct xemu_packet {
	unsigned unit;
	uint64_t opcode, instructions, length, buffer[XEMU_BUFFERS];
};

/* Reads the packet of bo.  Returns false if the kernel would not pass such a
 * packet to the device, and also if the state or type is wrong: the kernel
 * accepts any state and type, but a wrong value is a mistake of the program. */
bool xemu_read_packet(const struct xemu_bo *b, struct xemu_packet *p);
void xemu_set_state(const struct xemu_bo *b, uint32_t state);

#endif
