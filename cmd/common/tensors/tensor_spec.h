/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stored tensors as the command line specifies them: by a model (-m), by
 * hand (-t, --shape, -s, -z), or not at all.
 */
#ifndef CMD_TENSORS_TENSOR_SPEC_H
#define CMD_TENSORS_TENSOR_SPEC_H

#include "stream.h"
#include "tensor_options.h"

struct tensor_spec {
	const char *model;		/* the argument of -m; NULL: none */
	struct tensor_options options;
	bool ones_fit;			/* --shape may leave out dimensions of
					   1 that a label has */
	/* One frame: by hand one tensor, of size 0 without --shape; NULL:
	 * nothing was specified.  Owned. */
	struct npu_tensor *tensors;
	uint16_t n;
	unsigned first;		/* which of the model's tensors the first is */
	bool all;		/* these are all tensors of a frame */
};

/* Fills tensors from model and options, once these are parsed: the outputs or
 * inputs of the model, or the one by hand, which needs a type if whole. */
void tensor_spec_resolve(struct tensor_spec *g, bool outputs, bool whole);

/* The specification of the tensor at hand; dies if the model has another
 * number of tensors than the frame.  NULL: there is none. */
const struct npu_tensor *tensor_spec_tensor(const struct tensor_spec *g,
    const struct stream *s);

/*
 * Completes *t, the tensor of s at hand, from the specification: .npy gets its
 * scale.  Fails when the two contradict each other.
 */
int tensor_spec_complete(const struct tensor_spec *g, const struct stream *s,
    struct npu_tensor *t, struct npu_err *err);

/* Fails when the model gives the tensor at hand another shape, other than by
 * dimensions of 1. */
int tensor_spec_check_shape(const struct tensor_spec *g,
    const struct stream *s, struct npu_err *err);

void tensor_spec_free(struct tensor_spec *g);

#endif
