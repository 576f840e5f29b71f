/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream of stored tensors, read as the real numbers that they stand for.
 * Everything here dies with a message that says where; what was whole before
 * is still written to the output.
 */
#ifndef CMD_TENSORS_REAL_READER_H
#define CMD_TENSORS_REAL_READER_H

#include "real_writer.h"
#include "tensor_spec.h"

/* Elements converted at a time, whatever the input's length. */
enum { REALS_PIECE = 16384 };

struct reals {
	struct stream s;
	const struct tensor_spec *spec;
	struct output *o;
	struct value_range *summary;	/* of what is stored; may be NULL */
	struct npu_tensor t;		/* the tensor at hand; size 0 while
					   s.open_end */
	uint64_t at;			/* elements of it read so far */
	uint64_t q[REALS_PIECE];	/* the last piece as stored */
};

/*
 * Opens path.  What is given describes raw bytes, gives .npy its scale, and
 * must agree with labels; NULL: labels and .npy speak for themselves, and raw
 * bytes are refused unless stream_frames() follows.
 */
void reals_open(struct reals *r, const char *path,
    const struct tensor_spec *spec, struct output *o);
/* On to the next tensor; false at the end. */
bool reals_next(struct reals *r);
/* Up to REALS_PIECE numbers, fewer only at the tensor's end. */
size_t reals_read(struct reals *r, float x[REALS_PIECE]);
/* All that are left, added to *b. */
void reals_whole(struct reals *r, struct buf *b);
void reals_close(struct reals *r);

/* "prog: NAME: frame 2, tensor 0: reason" */
_Noreturn void reals_die(struct reals *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
