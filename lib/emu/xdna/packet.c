// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "emu/xdna/packet.h"

/*
 * Word 0: the state in bits 0 to 3, the number of words that follow in bits 12
 * to 22, the opcode (0: begin) in bits 23 to 27, the type (3) in bits 28 to 31.
 * Word 1: a bit for the unit that runs.  The register map follows.
 */
enum {
	HEAD = 8,		/* bytes before the register map */
	OPCODE_AT = 0, INSTR_AT = 8, NINSTR_AT = 16, BUFFERS_AT = 20,
};

/* Returns a register, or 0 if the packet is too short for it. */
static uint64_t
read_register(const struct xemu_bo *b, uint32_t words, uint32_t at,
    size_t size)
{
	uint64_t v = 0;

	if (at + size <= (words - 1) * 4)
		memcpy(&v, b->host + HEAD + at, size);
	return v;
}

bool
xemu_read_packet(const struct xemu_bo *b, struct xemu_packet *p)
{
	uint32_t head[2], words;

	if (b == NULL || b->host == NULL || b->mapped < HEAD)
		return false;
	memcpy(head, b->host, sizeof(head));
	words = head[0] >> 12 & 0x7ff;
	if ((head[0] & XDNA_PACKET_STATE) != XDNA_NEW ||
	    (head[0] >> 23 & 0x1f) != 0 || head[0] >> 28 != 3 || words < 2 ||
	    4 + words * 4 > b->mapped || head[1] == 0)
		return false;
	p->unit = (unsigned)__builtin_ctz(head[1]);
	p->opcode = read_register(b, words, OPCODE_AT, 8);
	p->instructions = read_register(b, words, INSTR_AT, 8);
	p->length = read_register(b, words, NINSTR_AT, 4);
	for (uint32_t i = 0; i < XEMU_BUFFERS; i++)
		p->buffer[i] = read_register(b, words, BUFFERS_AT + 8 * i, 8);
	return true;
}

void
xemu_set_state(const struct xemu_bo *b, uint32_t state)
{
	uint32_t head;

	if (b == NULL || b->host == NULL)
		return;
	memcpy(&head, b->host, sizeof(head));
	head = (head & ~XDNA_PACKET_STATE) | state;
	memcpy(b->host, &head, sizeof(head));
}
