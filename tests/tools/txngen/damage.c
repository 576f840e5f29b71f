// SPDX-License-Identifier: Apache-2.0
/* Operations other than writes and patches; damaged headers and lengths. */
#include "row.h"

/* ---- Waits and other operations ---------------------------------------- */

static void
other(struct stream *s, const uint32_t *w, size_t n)
{
	stream_words(s, w, n);
	s->operations++;
}

static void
others(struct stream *s)
{
	other(s, (const uint32_t[]){ 6 }, 1);
	other(s, (const uint32_t[]){ 8, 1, 2, 3 }, 4);
	other(s, (const uint32_t[]){ 0x82, 12, 5 }, 3);
	other(s, (const uint32_t[]){ 0x83, 8 }, 2);
	/* The bytes above the code are ignored. */
	other(s, (const uint32_t[]){ 0x01020306 }, 1);
	stream_sound(s);
}

static void
merged_wait(struct stream *s)
{
	stream_set(s, 0, 0, (struct shape){ .length = 16 });
	stream_adopt(s, 0, 0, 1);
	stream_write(s, S2MM, 0);
	other(s, (const uint32_t[]){ 0x84, 12, 0x101 }, 3);
}

/* Waits for columns 3 to 6. */
static void
wide_wait(struct stream *s)
{
	stream_sound(s);
	stream_wait(s, 3, 4);
}

static void
not_written(struct stream *s)
{
	stream_set(s, 0, 1, (struct shape){ .length = 16 });
	stream_adopt(s, 0, 1, 0);
	stream_write(s, MM2S, 1);
	stream_wait(s, 0, 1);
}

static void
no_wait(struct stream *s)
{
	stream_set(s, 0, 0, (struct shape){ .length = 16 });
	stream_adopt(s, 0, 0, 1);
	stream_write(s, S2MM, 0);
}

static void
wait_before(struct stream *s)
{
	stream_wait(s, 0, 1);
	no_wait(s);
}

static void
unknown_first(struct stream *s)
{
	other(s, (const uint32_t[]){ 0xd, 16, 0, 0 }, 4);
	stream_sound(s);
}

static void
unknown_last(struct stream *s)
{
	not_written(s);
	other(s, (const uint32_t[]){ 0x85 }, 1);
}

static void nothing(struct stream *s) { (void)s; }

/* ---- Damage after a sound stream --------------------------------------- */

static void
change_header(struct stream *s, size_t i, uint32_t value)
{
	stream_whole(s);
	stream_change(s, i, value);
}

static void version(struct stream *s) { change_header(s, 0, 0x06030002); }
static void version_11(struct stream *s) { change_header(s, 0, 0x06030101); }
static void version_00(struct stream *s) { change_header(s, 0, 0x06030000); }

static void
generation(struct stream *s)
{
	change_header(s, 0, s->old ? 0x06050001 : 0x06050100);
}

static void
newer(struct stream *s)
{
	change_header(s, 0, s->old ? 0x06040001 : 0x06040100);
}

static void count_more(struct stream *s) { change_header(s, 2, 8); }
static void count_less(struct stream *s) { change_header(s, 2, 1); }
static void count_none(struct stream *s) { change_header(s, 2, 0); }

static void
unknown_uncounted(struct stream *s)
{
	unknown_last(s);
	s->operations--;
	stream_end(s);
}

static void
cut(struct stream *s)
{
	stream_whole(s);
	s->b->n -= 140;
}

static void
tail(struct stream *s)
{
	stream_whole(s);
	stream_words(s, (const uint32_t[]){ 0, 0 }, 2);
}

static void
ragged(struct stream *s)
{
	stream_whole(s);
	buf_add(s->b, "x", 1);
	stream_change(s, 3, (uint32_t)s->b->n);
}

static void
short_header(struct stream *s)
{
	s->b->n = 12;
}

/* The length is right, but the last operation is a word too short. */
static void
last_cut(struct stream *s)
{
	stream_sound(s);
	s->b->n -= 4;
}

static void
block_of(struct stream *s, uint32_t bytes)
{
	stream_whole(s);
	stream_change(s, s->old ? 6 : 7, bytes);
}

static void block_short(struct stream *s) { block_of(s, 8); }
static void block_ragged(struct stream *s) { block_of(s, 50); }
static void block_long(struct stream *s) { block_of(s, 0xfffffffc); }

static void
wait_long(struct stream *s)
{
	stream_whole(s);
	stream_change(s, s->b->n / 4 - 3, 20);
}

/* ---- The rows ---------------------------------------------------------- */

const struct row operation_rows[] = {
	{ .name = "others", .fill = others, .buffers = SOUND },
	{ .name = "merged-wait", .fill = merged_wait, .buffers = "1:out:64" },
	{ .name = "wide-wait", .fill = wide_wait, .buffers = SOUND },
	{ .name = "not-written", .fill = not_written,
	    .says = "nothing is written" },
	{ .name = "no-wait", .fill = no_wait,
	    .says = "nothing waits for the output" },
	{ .name = "wait-before", .fill = wait_before,
	    .says = "nothing waits for the output" },
	{ .name = "unknown-first", .fill = unknown_first, .buffers = "",
	    .says = "operation 0xd at word 4 is not known" },
	{ .name = "unknown-last", .fill = unknown_last, .buffers = "0:in:64",
	    .says = "operation 0x85 at word " },
	{ .name = "unknown-uncounted", .fill = unknown_uncounted, .as_is = true,
	    .says = "more than 4 operations, the header says 4" },
	{ .name = "no-operation", .fill = nothing,
	    .says = "no operation: the device would report success and do "
	    "nothing" },
	{ .name = NULL },
};

const struct row damage_rows[] = {
	{ .name = "newer", .fill = newer, .as_is = true, .buffers = SOUND },
	{ .name = "version", .fill = version, .as_is = true,
	    .says = "version 2.0" },
	{ .name = "version-1.1", .fill = version_11, .as_is = true,
	    .says = "version 1.1" },
	{ .name = "version-0.0", .fill = version_00, .as_is = true,
	    .says = "version 0.0" },
	{ .name = "generation", .fill = generation, .as_is = true,
	    .says = "generation 5" },
	{ .name = "count-more", .fill = count_more, .as_is = true,
	    .says = "7 operations, the header says 8" },
	{ .name = "count-less", .fill = count_less, .as_is = true,
	    .says = "7 operations, the header says 1" },
	{ .name = "count-none", .fill = count_none, .as_is = true,
	    .says = "7 operations, the header says 0" },
	{ .name = "cut", .fill = cut, .as_is = true,
	    .says = " bytes, the file has " },
	{ .name = "tail", .fill = tail, .as_is = true,
	    .says = " bytes, the file has " },
	{ .name = "ragged", .fill = ragged, .as_is = true,
	    .says = " bytes are not whole words of 4" },
	{ .name = "short-header", .fill = short_header, .as_is = true,
	    .says = "12 bytes, but the header of an instruction stream has "
	    "16" },
	{ .name = "last-cut", .fill = last_cut,
	    .says = "16 bytes are needed, but the stream ends after 12" },
	{ .name = "block-short", .fill = block_short, .as_is = true,
	    .says = "operation 1 at word 4: 8 bytes, but a block write has at "
	    "least 1" },
	{ .name = "block-ragged", .fill = block_ragged, .as_is = true,
	    .says = "operation 1 at word 4: 50 bytes are not whole words of "
	    "4" },
	{ .name = "block-long", .fill = block_long, .as_is = true,
	    .says = "operation 1 at word 4: 4294967292 bytes are needed, but "
	    "the stream ends after " },
	{ .name = "wait-long", .fill = wait_long, .as_is = true,
	    .says = ": 20 bytes, but a wait has 16" },
	{ .name = NULL },
};
