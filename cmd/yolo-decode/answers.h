/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a detector's output tensors one at a time, from files or from standard
 * input.
 *
 *	answers_open(&a, file, &spec, &decoder);
 *	while (answers_next(&a))
 *		decode_tensor(&decoder, a.data.p, ...);
 *	answers_close(&a);
 */
#ifndef YOLO_DECODE_ANSWERS_H
#define YOLO_DECODE_ANSWERS_H

#include "detections/decode.h"
#include "tensors/stream.h"
#include "tensors/tensor_spec.h"

struct answers {
	struct tensor_spec *spec;	/* from the options or a model */
	struct detection_decoder *decoder;	/* prepared for the tensor */
	char **file;			/* the files left to read; NULL last */
	bool from_stdin;		/* no file was named: read stdin */
	struct stream s;		/* the current file */
	bool open;			/* s is open */
	uint64_t frames;		/* read so far from all files */
	struct npu_tensor tensor;	/* describes the current frame */
	struct buf data;		/* the bytes of the current frame */
	struct npu_err err;		/* code 0: no error so far */
};

/* Prepares to read the files, NULL last; an empty list means standard input.
 * file, spec and decoder must stay valid until answers_close(). */
void answers_open(struct answers *a, char **file, struct tensor_spec *spec,
    struct detection_decoder *decoder);

/* Reads the next tensor.  False at the end, and after an error, which is
 * reported once and kept in a->err. */
bool answers_next(struct answers *a);

/* Returns "FILE: frame N" for the current tensor; valid until the next call. */
const char *answers_name(const struct answers *a);

void answers_close(struct answers *a);

#endif
