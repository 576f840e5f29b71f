/* SPDX-License-Identifier: Apache-2.0 */
/* A frame becomes the model's input, as img-tensor makes it of the same
 * pixels. */
#ifndef NPU_ZMQ_FRAME_H
#define NPU_ZMQ_FRAME_H

#include "header.h"
#include "vision/convert.h"
#include "vision/prep.h"

enum frame_floats { FLOAT_UNIT, FLOAT_DENORM };	/* 0 to 1; 0 to 255 */

struct frame_format {
	struct prep_recipe recipe;
	bool bgr;			/* of frames */
	enum frame_floats floats;
	struct convert convert;
	uint8_t *row;		/* owned: a row of pixels of 4 bytes, or ... */
	float *real;		/* ... of a row's numbers; owned */
};

/* The model is what prep was made for; bgr and floats were set. */
int frame_open(struct frame_format *f, const struct prep *prep,
    struct npu_err *err);
void frame_close(struct frame_format *f);

/* Bytes of the largest frame that is taken. */
size_t frame_most_bytes(const struct frame_format *f);

/* Makes the model's input of the frame's bytes; the messages are for the
 * client. */
int frame_convert(struct frame_format *f, const struct header *h,
    struct bytes frame, uint8_t *in, struct npu_err *err);

#endif
