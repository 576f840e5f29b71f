/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What npu-quant and npu-dequant are told about stored tensors: by a model
 * (-m), or by hand (-t, --shape, -s, -z), or nothing.
 */
#ifndef CMD_TENSORS_TENSOR_SPEC_H
#define CMD_TENSORS_TENSOR_SPEC_H

#include "stream.h"
#include "tensor_options.h"

struct given {
	const char *model;		/* -m, as it was said */
	struct tensor_options options;
	/* One frame: by hand one tensor, of size 0 without --shape; NULL:
	 * nothing was said.  Owned. */
	struct npu_tensor *tensors;
	uint16_t n;
	bool all;		/* they are all tensors of a frame, no more */
};

/* Once the options are read: outputs or inputs of the model, or by hand.
 * By hand needs a type if whole. */
void given_take(struct given *g, bool outputs, bool whole);

/* What was given for tensor index of frames of count; dies if the model has
 * another number.  NULL: nothing. */
const struct npu_tensor *given_tensor(const struct given *g,
    const struct stream *s);

/*
 * Completes *t, the tensor of s at hand, by what was given: .npy gets its
 * scale.  Fails when the two contradict each other.
 */
int given_describe(const struct given *g, const struct stream *s,
    struct npu_tensor *t, struct npu_err *err);

/* "frame 2, tensor 0" */
const char *given_place(const struct stream *s);

void given_free(struct given *g);

#endif
