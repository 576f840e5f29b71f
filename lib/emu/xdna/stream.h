/* SPDX-License-Identifier: Apache-2.0 */
/* The transfers of an instruction stream, in order. */
#ifndef EMU_XDNA_STREAM_H
#define EMU_XDNA_STREAM_H

#include "base/bytes.h"
#include "npu.h"

/* The words of one descriptor, moved runs times. */
struct xemu_transfer {
	uint32_t word[8];	/* the descriptor: model/txn_sizes.h */
	unsigned argument, runs;
	uint64_t plus;		/* bytes from the buffer's start */
	bool out;		/* the array writes */
};

struct xemu_stream {
	unsigned generation, columns;
	struct xemu_transfer *transfer;	/* owned */
	size_t n;
	uint64_t in, out;	/* words that it reads and writes */
	uint8_t *bytes;		/* owned: a copy of the stream */
	size_t size;
};

/*
 * Reads the stream, or keeps *s if *s was read from the same bytes.  A zeroed
 * *s is empty; free it with xemu_stream_free().  On failure *s is empty.
 */
int xemu_stream_read(struct xemu_stream *s, struct bytes stream,
    struct npu_err *err);
void xemu_stream_free(struct xemu_stream *s);

#endif
