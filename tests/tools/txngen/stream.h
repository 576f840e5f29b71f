/* SPDX-License-Identifier: Apache-2.0 */
/* Writes instruction streams for AMD XDNA NPUs, one operation at a time. */
#ifndef TESTS_TOOLS_TXNGEN_STREAM_H
#define TESTS_TOOLS_TXNGEN_STREAM_H

#include <stdint.h>

#include "base/buf.h"

struct stream {
	struct buf *b;		/* not owned */
	bool old;		/* version 1.0, not 0.1 */
	uint32_t operations;
};

/* Registers of the shim tile in a column. */
enum { MM2S = 0x1d214, MM2S_1 = 0x1d21c, S2MM = 0x1d204, S2MM_1 = 0x1d20c };
uint32_t stream_descriptor(unsigned column, unsigned i);
uint32_t stream_queue(unsigned column, uint32_t queue);

/* Write bare words, and operations. */
void stream_words(struct stream *s, const uint32_t *w, size_t n);
void stream_write(struct stream *s, uint32_t reg, uint32_t value);
void stream_mask(struct stream *s, uint32_t reg, uint32_t value,
    uint32_t mask);
void stream_block(struct stream *s, uint32_t reg, const uint32_t *w,
    uint32_t n);
void stream_patch(struct stream *s, uint32_t reg, uint32_t argument,
    uint64_t plus);
void stream_wait(struct stream *s, unsigned column, unsigned columns);

/* A descriptor, with names for the fields that tests need.  Steps and places
 * are true values, where a descriptor stores one less; 0 means 1. */
struct shape {
	uint32_t length, wrap0, step0, wrap1, step1, step2, places, step;
	bool use_next;
	unsigned next;
};

void shape_pack(struct shape d, uint32_t w[8]);
/* Writes descriptor i by a block write. */
void stream_set(struct stream *s, unsigned column, unsigned i,
    struct shape d);
/* Patches descriptor i with a buffer's address. */
void stream_adopt(struct stream *s, unsigned column, unsigned i,
    uint32_t argument);
/* Transfers 64 bytes to buffer 1 by descriptor 0, and waits. */
void stream_output(struct stream *s);
/* The same after a transfer of 1,024 bytes from buffer 0 by descriptor 1. */
void stream_sound(struct stream *s);

/* Sets word i of the stream, which must exist. */
void stream_change(struct stream *s, size_t i, uint32_t value);

void stream_begin(struct stream *s, bool old, struct buf *b);
/* Writes the operation count and the length into the header. */
void stream_end(struct stream *s);
/* Calls stream_sound() and stream_end(). */
void stream_whole(struct stream *s);

#endif
