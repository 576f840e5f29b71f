/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream of stored tensors, read as the real numbers that they stand for.
 * Everything here dies with a message that says where; what was whole before
 * is still written to the output.
 */
#ifndef CMD_TENSORS_REAL_READER_H
#define CMD_TENSORS_REAL_READER_H

#include "tensor_spec.h"
#include "value_stats.h"

/* Elements converted at a time, whatever the input's length. */
enum { REAL_READER_PIECE = 16384 };

struct real_reader {
	struct stream s;
	const struct tensor_spec *spec;
	struct output *o;
	struct value_stats *stats;	/* of what is stored; may be NULL */
	struct npu_tensor t;		/* the tensor at hand; size 0 while
					   s.open_end */
	uint64_t at;			/* elements of it read so far */
	uint64_t q[REAL_READER_PIECE];	/* the last piece as stored */
};

/*
 * Opens path.  What is given describes raw bytes, gives .npy its scale, and
 * must agree with labels; NULL: labels and .npy speak for themselves, and raw
 * bytes are refused unless stream_frames() follows.
 */
void real_reader_open(struct real_reader *r, const char *path,
    const struct tensor_spec *spec, struct output *o);
/* On to the next tensor; false at the end. */
bool real_reader_next(struct real_reader *r);
/* Up to REAL_READER_PIECE numbers, fewer only at the tensor's end. */
size_t real_reader_read(struct real_reader *r, float x[REAL_READER_PIECE]);
/* All that are left, added to *b. */
void real_reader_read_all(struct real_reader *r, struct buf *b);
void real_reader_close(struct real_reader *r);

/* "prog: NAME: frame 2, tensor 0: reason" */
_Noreturn void real_reader_die(struct real_reader *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
