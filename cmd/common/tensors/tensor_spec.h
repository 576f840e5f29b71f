/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stored tensors as the command line specifies them: by a model (-m), by
 * options (-t, --shape, -s, -z), or not at all.
 */
#ifndef CMD_TENSORS_TENSOR_SPEC_H
#define CMD_TENSORS_TENSOR_SPEC_H

#include "stream.h"
#include "tensor_options.h"

struct tensor_spec {
	const char *model;		/* the argument of -m; NULL: not
					   given */
	struct tensor_options options;
	bool ones_fit;			/* --shape may omit dimensions of 1
					   that a label has */
	/* The tensors of one frame.  From options: one tensor, of size 0
	 * without --shape.  NULL: nothing was specified.  Owned. */
	struct npu_tensor *tensors;
	uint16_t n;
	unsigned first;		/* index of the first among the model's
				   tensors */
	bool all;		/* tensors has all tensors of a frame */
};

/* Fills tensors from model and options, once these are parsed: the outputs or
 * inputs of the model, or the tensor of the options, which needs a type if
 * whole is true. */
void tensor_spec_resolve(struct tensor_spec *g, bool outputs, bool whole);

/*
 * Returns the specification of the current tensor, or NULL without a
 * specification.  Dies if the number of tensors differs between model and
 * frame.
 */
const struct npu_tensor *tensor_spec_tensor(const struct tensor_spec *g,
    const struct stream *s);

/*
 * Completes *t, the current tensor of s, from the specification: for example,
 * the scale of .npy.  Fails if the two contradict each other.
 */
int tensor_spec_complete(const struct tensor_spec *g, const struct stream *s,
    struct npu_tensor *t, struct npu_err *err);

/* Fails if the model's shape for the current tensor differs, other than by
 * dimensions of 1. */
int tensor_spec_check_shape(const struct tensor_spec *g,
    const struct stream *s, struct npu_err *err);

void tensor_spec_free(struct tensor_spec *g);

#endif
