/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction stream moves: its transfers, in their order. */
#ifndef EMU_XDNA_STREAM_H
#define EMU_XDNA_STREAM_H

#include "base/bytes.h"
#include "npu.h"

/* One descriptor's words, moved runs times. */
struct xemu_transfer {
	uint32_t word[8];	/* of the descriptor: model/txn_sizes.h */
	unsigned argument, runs;
	uint64_t plus;		/* bytes from the buffer's begin */
	bool out;		/* written by the array */
};

struct xemu_stream {
	unsigned generation, columns;
	struct xemu_transfer *transfer;	/* owned */
	size_t n;
	uint64_t in, out;	/* words that it reads, writes */
	uint8_t *bytes;		/* owned: what was read */
	size_t size;
};

/*
 * Reads the stream, or keeps *s if it is of the same bytes.  Zeros are an *s
 * that holds nothing; free it with xemu_stream_free().  On failure *s holds
 * nothing.
 */
int xemu_stream_read(struct xemu_stream *s, struct bytes stream,
    struct npu_err *err);
void xemu_stream_free(struct xemu_stream *s);

#endif
