// SPDX-License-Identifier: Apache-2.0
/* Descriptors and queues, which are memory. */
#include "row.h"

/* ---- Buffers ----------------------------------------------------------- */

static void
both_ways(struct stream *s)
{
	stream_set(s, 0, 1, (struct shape){ .length = 32 });
	stream_adopt(s, 0, 1, 1);
	stream_write(s, MM2S, 1);
	stream_output(s);
}

static void
second_queues(struct stream *s)
{
	stream_set(s, 2, 9, (struct shape){ .length = 3 });
	stream_adopt(s, 2, 9, 4);
	stream_write(s, stream_queue(2, MM2S_1), 9);
	stream_set(s, 3, 15, (struct shape){ .length = 5 });
	stream_adopt(s, 3, 15, 2);
	stream_write(s, stream_queue(3, S2MM_1), 15);
	stream_wait(s, 3, 1);
}

static void
patched_only(struct stream *s)
{
	stream_set(s, 0, 2, (struct shape){ .length = 16 });
	stream_adopt(s, 0, 2, 7);
	stream_output(s);
}

static void
far_block(struct stream *s)
{
	stream_set(s, 3, 1, (struct shape){ .length = 16 });
	stream_output(s);
}

/* 16 descriptors of 16 bytes each, one after the other. */
static void
longest_chain(struct stream *s)
{
	for (unsigned i = 0; i < 16; i++) {
		stream_set(s, 0, i, (struct shape){ .length = 4, .next = i + 1,
		    .use_next = i < 15 });
		stream_patch(s, stream_descriptor(0, i) + 4, 1, 16 * i);
	}
	stream_write(s, S2MM, 0);
	stream_wait(s, 0, 1);
}

/* One block write sets descriptors 1 and 2. */
static void
two_at_once(struct stream *s)
{
	uint32_t w[16];

	shape_pack((struct shape){ .length = 8, .next = 2, .use_next = true },
	    w);
	shape_pack((struct shape){ .length = 24 }, w + 8);
	stream_block(s, stream_descriptor(0, 1), w, 16);
	stream_adopt(s, 0, 1, 0);
	stream_adopt(s, 0, 2, 2);
	stream_write(s, MM2S, 1);
	stream_output(s);
}

/*
 * A block write starts at the register before the queue and ends in the queue.
 */
static void
queued_by_block(struct stream *s)
{
	stream_set(s, 0, 1, (struct shape){ .length = 256 });
	stream_adopt(s, 0, 1, 0);
	stream_block(s, MM2S - 4, (const uint32_t[]){ 0, 1 }, 2);
	stream_output(s);
}

static void
queued_by_mask(struct stream *s)
{
	stream_set(s, 0, 1, (struct shape){ .length = 256 });
	stream_adopt(s, 0, 1, 0);
	stream_mask(s, MM2S, 0xfffffff3, 0x80000001);
	stream_output(s);
}

/* ---- Registers --------------------------------------------------------- */

/* stream_sound() with one more operation between patch and queue. */
static void
changed(struct stream *s, void (*change)(struct stream *, uint32_t reg))
{
	stream_set(s, 0, 1, (struct shape){ .length = 256 });
	stream_adopt(s, 0, 1, 0);
	change(s, stream_descriptor(0, 1));
	stream_write(s, MM2S, 1);
	stream_output(s);
}

static void
longer(struct stream *s, uint32_t reg)
{
	stream_write(s, reg, 512);
}

/* Changes 0x100 to 0x230. */
static void
longer_by_bits(struct stream *s, uint32_t reg)
{
	stream_mask(s, reg, 0x12345230, 0xff0);
}

static void
address_again(struct stream *s, uint32_t reg)
{
	stream_write(s, reg + 4, 0);
}

static void
address_high_again(struct stream *s, uint32_t reg)
{
	stream_mask(s, reg + 8, 0, 1);
}

/* The bits for packets are above the address. */
static void
packet_bits(struct stream *s, uint32_t reg)
{
	stream_mask(s, reg + 8, 0x40000000, 0xffff0000);
}

/* In the tile above, other registers have these offsets. */
static void
other_row(struct stream *s, uint32_t reg)
{
	stream_write(s, reg | 1 << 20, 0);
	stream_write(s, MM2S | 1 << 20, 7);
}

static void written(struct stream *s) { changed(s, longer); }
static void masked(struct stream *s) { changed(s, longer_by_bits); }
static void address_lost(struct stream *s) { changed(s, address_again); }
static void high_lost(struct stream *s) { changed(s, address_high_again); }
static void packet(struct stream *s) { changed(s, packet_bits); }
static void tile_above(struct stream *s) { changed(s, other_row); }

/* A block write sets everything but the length. */
static void
without_length(struct stream *s)
{
	uint32_t w[8];

	shape_pack((struct shape){ .length = 0 }, w);
	stream_block(s, stream_descriptor(0, 1) + 4, w + 1, 7);
	stream_adopt(s, 0, 1, 0);
}

static void
set_by_halves(struct stream *s)
{
	without_length(s);
	stream_mask(s, stream_descriptor(0, 1), 16, 0xffff);
	stream_mask(s, stream_descriptor(0, 1), 0, 0xffff0000);
	stream_write(s, MM2S, 1);
	stream_output(s);
}

static void
half_set(struct stream *s)
{
	without_length(s);
	stream_mask(s, stream_descriptor(0, 1), 16, 0xffff);
	stream_write(s, MM2S, 1);
	stream_output(s);
}

static void
unpatched(struct stream *s)
{
	stream_set(s, 0, 1, (struct shape){ .length = 16 });
	stream_write(s, MM2S, 1);
	stream_output(s);
}

static void
unset(struct stream *s)
{
	stream_write(s, stream_queue(1, MM2S_1), 7);
	stream_output(s);
}

static void
patch_first(struct stream *s)
{
	stream_adopt(s, 0, 1, 0);
	stream_sound(s);
}

/* Eight writes set a descriptor. */
static void
patch_without_block(struct stream *s)
{
	for (unsigned i = 0; i < 8; i++)
		stream_write(s, stream_descriptor(0, 1) + 4 * i, 1);
	stream_adopt(s, 0, 1, 0);
}

static void
patch_elsewhere(struct stream *s)
{
	stream_set(s, 0, 1, (struct shape){ .length = 16 });
	stream_patch(s, stream_descriptor(0, 1) + 8, 0, 0);
	stream_output(s);
}

static void
patch_of_queue(struct stream *s)
{
	stream_patch(s, MM2S, 0, 0);
	stream_output(s);
}

static void
odd_register(struct stream *s)
{
	stream_write(s, 0x1d002, 0);
	stream_output(s);
}

static void
last_register(struct stream *s)
{
	stream_block(s, 0xfffffff8, (const uint32_t[]){ 1, 2, 3 }, 3);
	stream_output(s);
}

/* ---- The rows ---------------------------------------------------------- */

#define NOT_SET ", which is not set"
#define NOT_PATCHED ", which is not patched with a buffer's address"

const struct row register_rows[] = {
	{ .name = "both-ways", .fill = both_ways, .buffers = "1:inout:128" },
	{ .name = "second-queues", .fill = second_queues,
	    .buffers = "2:out:20 4:in:12" },
	{ .name = "patched-only", .fill = patched_only, .buffers = "1:out:64" },
	{ .name = "far-block", .fill = far_block, .buffers = "1:out:64" },
	{ .name = "longest-chain", .fill = longest_chain,
	    .buffers = "1:out:256" },
	{ .name = "loop",
	    .says = "column 0 queues descriptor 1: a chain of more than 16",
	    .shape = { .length = 4, .next = 1, .use_next = true } },
	{ .name = "chain-to-unset",
	    .says = "column 0 queues descriptor 3" NOT_SET,
	    .shape = { .length = 4, .next = 3, .use_next = true } },
	{ .name = "two-at-once", .fill = two_at_once,
	    .buffers = "0:in:32 1:out:64 2:in:96" },
	{ .name = "queued-by-block", .fill = queued_by_block,
	    .buffers = SOUND },
	{ .name = "queued-by-mask", .fill = queued_by_mask, .buffers = SOUND },
	{ .name = "written", .fill = written, .buffers = "0:in:2048 1:out:64" },
	{ .name = "masked", .fill = masked, .buffers = "0:in:2240 1:out:64" },
	{ .name = "address-lost", .fill = address_lost, .says = NOT_PATCHED },
	{ .name = "high-lost", .fill = high_lost, .says = NOT_PATCHED },
	{ .name = "packet", .fill = packet, .buffers = SOUND },
	{ .name = "tile-above", .fill = tile_above, .buffers = SOUND },
	{ .name = "set-by-halves", .fill = set_by_halves,
	    .buffers = "0:in:64 1:out:64" },
	{ .name = "half-set", .fill = half_set,
	    .says = "descriptor 1" NOT_SET },
	{ .name = "unpatched", .fill = unpatched,
	    .says = "column 0 queues descriptor 1" NOT_PATCHED },
	{ .name = "unset", .fill = unset,
	    .says = "operation 0 at word 4: column 1 queues descriptor 7"
	    NOT_SET },
	{ .name = "patch-first", .fill = patch_first,
	    .says = "operation 0x81 at word 4: a patch of 0x1d024 before a "
	    "block write to it" },
	{ .name = "patch-without-block", .fill = patch_without_block,
	    .says = "a patch of 0x1d024 before a block write to it" },
	{ .name = "patch-elsewhere", .fill = patch_elsewhere,
	    .says = "a patch of 0x1d028, which is not the address of a "
	    "descriptor" },
	{ .name = "patch-of-queue", .fill = patch_of_queue,
	    .says = "a patch of 0x1d214, which is not" },
	{ .name = "odd-register", .fill = odd_register,
	    .says = "operation 0 at word 4: register 0x1d002 is not at a "
	    "multiple of 4 bytes" },
	{ .name = "last-register", .fill = last_register,
	    .says = "operation 1 at word 4: 12 bytes at register 0xfffffff8" },
	{ .name = NULL },
};
