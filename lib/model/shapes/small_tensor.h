/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the shape of a TensorProto, and its elements if there are few. */
#ifndef MODEL_SHAPES_SMALL_TENSOR_H
#define MODEL_SHAPES_SMALL_TENSOR_H

#include "base/bytes.h"
#include "model/shapes/shape.h"

struct small_tensor {
	struct bytes name;	/* points into the file */
	struct shape shape;
	bool known;		/* numbers has all elements */
	struct numbers numbers;
};

/* Returns false if the tensor is damaged. */
bool small_tensor_read(struct small_tensor *c, struct bytes tensor);

/* Returns whether the number of onnx_type.h is a floating-point type. */
bool small_tensor_is_real(uint64_t type);

#endif
