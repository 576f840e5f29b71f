/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes the open dimensions of an ONNX model's inputs and outputs: the memory
 * of a tensor has one size. */
#ifndef MODEL_SHAPES_FIXED_SIZES_H
#define MODEL_SHAPES_FIXED_SIZES_H

#include "model/onnx_model.h"

/* The sizes that the user chose. */
struct chosen_sizes {
	const struct npu_dim *dim;
	size_t n;
	const char *option;	/* its name, for messages */
};

/*
 * Sets all dimensions of m's ports, which onnx_model_read() has read from onnx.
 * Sizes of inputs are chosen; the first dimension, which counts the items of a
 * batch, is 1 if it is not.  Sizes of outputs follow from the names of
 * dimensions, or else from the nodes.  Fails with NPU_EUSAGE if a size is
 * unknown, or if a choice does not concern the model; the message says which
 * dimension it is.
 */
int fixed_sizes(struct onnx_model *m, struct bytes onnx,
    const struct chosen_sizes *chosen, struct npu_err *err);

#endif
