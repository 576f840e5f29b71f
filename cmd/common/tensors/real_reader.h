/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a stream of stored tensors as the real numbers that they represent.
 * All functions die with a message that names the position; complete records
 * before that position are still written to the output.
 */
#ifndef CMD_TENSORS_REAL_READER_H
#define CMD_TENSORS_REAL_READER_H

#include "tensor_spec.h"
#include "value_stats.h"

/* Number of elements converted at a time. */
enum { REAL_READER_PIECE = 16384 };

struct real_reader {
	struct stream s;
	const struct tensor_spec *spec;
	struct output *o;
	struct value_stats *stats;	/* statistics of the stored values;
					   may be NULL */
	struct npu_tensor t;		/* the current tensor; size 0 while
					   s.open_end */
	uint64_t at;			/* elements of t read so far */
	uint64_t q[REAL_READER_PIECE];	/* the last piece as stored */
};

/*
 * Opens path.  *spec describes raw bytes, supplies the scale of .npy, and must
 * agree with labels.  With NULL, labels and .npy describe themselves, and raw
 * bytes are refused unless stream_frames() follows.
 */
void real_reader_open(struct real_reader *r, const char *path,
    const struct tensor_spec *spec, struct output *o);
/* Moves to the next tensor; false at the end. */
bool real_reader_next(struct real_reader *r);
/* Reads up to REAL_READER_PIECE numbers, fewer only at the tensor's end. */
size_t real_reader_read(struct real_reader *r, float x[REAL_READER_PIECE]);
/* Adds all remaining numbers to *b. */
void real_reader_read_all(struct real_reader *r, struct buf *b);
void real_reader_close(struct real_reader *r);

/* Dies with "prog: NAME: frame 2, tensor 0: reason". */
_Noreturn void real_reader_die(struct real_reader *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
