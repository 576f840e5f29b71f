/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a detector answered: the tensors of files, or of standard input, one at
 * a time.
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
	struct tensor_spec *spec;	/* what the options or a model say */
	struct detection_decoder *decoder;	/* prepared for the tensor */
	char **file;			/* those left to read; NULL last */
	bool from_stdin;		/* no file was named: stdin is next */
	struct stream s;
	bool open;			/* s is */
	uint64_t frames;		/* read so far */
	struct npu_tensor tensor;	/* of the current frame */
	struct buf data;
	struct npu_err err;		/* code 0: the input was good so far */
};

/* Files whose list ends with NULL; none: standard input.  All outlive *a. */
void answers_open(struct answers *a, char **file, struct tensor_spec *spec,
    struct detection_decoder *decoder);

/* Reads the next tensor: true if there is one.  A fault ends the answers, and
 * is reported once. */
bool answers_next(struct answers *a);

/* "FILE: frame N", of the tensor at hand; valid until the next call. */
const char *answers_name(const struct answers *a);

void answers_close(struct answers *a);

#endif
