// SPDX-License-Identifier: Apache-2.0
/* Transfers of each shape: how much of the buffer they need. */
#include "row.h"

const struct row transfer_rows[] = {
	{ .name = "sound", .fill = stream_sound, .buffers = SOUND },
	/* 8 rows of 8 words, 16 apart: the last word is 7 x 16 + 7. */
	{ .name = "rows-apart", .buffers = "0:in:480 1:out:64",
	    .shape = { .length = 64, .wrap0 = 8, .step1 = 16 } },
	/*
	 * The last word of 13 is (0,0,2), at 200; before it, (1,2,1) is at 123.
	 */
	{ .name = "cube", .buffers = "0:in:804 1:out:64",
	    .shape = { .length = 13, .wrap0 = 2, .step0 = 3, .wrap1 = 3,
	    .step1 = 10, .step2 = 100 } },
	/* The last word of 5 is (0,1), at 1; before it, (3,0) is at 300. */
	{ .name = "row-greater", .buffers = "0:in:1204 1:out:64",
	    .shape = { .length = 5, .wrap0 = 4, .step0 = 100 } },
	/*
	 * The last word of 7 is (0,0,1), at 5; before it, (1,2,0) is at 2001.
	 */
	{ .name = "block-greater", .buffers = "0:in:8008 1:out:64",
	    .shape = { .length = 7, .wrap0 = 2, .wrap1 = 3, .step1 = 1000,
	    .step2 = 5 } },
	/* The first index takes all words. */
	{ .name = "second-wrap-alone", .buffers = "0:in:64 1:out:64",
	    .shape = { .length = 16, .wrap1 = 2, .step1 = 1000 } },

	/* 6 runs at 4 places 64 apart: the last word is 3 x 64 + 15; then 2
	 * places. */
	{ .name = "all-places", .buffers = "0:in:832 1:out:64",
	    .shape = { .length = 16, .places = 4, .step = 64 }, .repeats = 5 },
	{ .name = "two-places", .buffers = "0:in:320 1:out:64",
	    .shape = { .length = 16, .places = 4, .step = 64 }, .repeats = 1 },
	{ .name = "one-place", .buffers = "0:in:64 1:out:64",
	    .shape = { .length = 16, .places = 1, .step = 64 },
	    .repeats = 255 },

	{ .name = "plus", .buffers = "0:in:4160 1:out:64",
	    .shape = { .length = 16 }, .plus = 4096 },
	{ .name = "four-gib", .buffers = "0:in:4294967296 1:out:64",
	    .shape = { .length = 1 << 30 } },
	{ .name = "word-more",
	    .says = "column 0 queues descriptor 1: buffer 0 would be larger "
	    "than 4 GiB: 1073741825 words",
	    .shape = { .length = (1 << 30) + 1 } },
	{ .name = "plus-more", .says = "1073741824 words from byte 4",
	    .shape = { .length = 1 << 30 }, .plus = 4 },
	/* (2^32 - 2) x 2^20 + 1 */
	{ .name = "longest", .says = "4503599625273345 words from byte 0",
	    .shape = { .length = UINT32_MAX, .wrap0 = 1, .wrap1 = 1,
	    .step2 = 1 << 20 } },
	{ .name = "far", .says = "1 word from byte 18446744073709551612",
	    .shape = { .length = 1 }, .plus = UINT64_MAX - 3 },
	{ .name = "no-bytes",
	    .says = "column 0 queues descriptor 1: a transfer of no bytes",
	    .shape = { .length = 0 } },
	{ .name = NULL },
};
