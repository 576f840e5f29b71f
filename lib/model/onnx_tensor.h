/* SPDX-License-Identifier: Apache-2.0 */
/* The weights of an ONNX file: what a TensorProto says, and whether its data is
 * complete. */
#ifndef MODEL_ONNX_TENSOR_H
#define MODEL_ONNX_TENSOR_H

#include <stdbool.h>

#include "base/bytes.h"
#include "npu.h"

struct onnx_tensor {
	struct bytes name;	/* points into the file */
	uint64_t type;		/* a number of onnx_type.h */
	uint64_t elements;
	uint64_t bytes;		/* of all elements, packed */
	bool external;		/* the data is in another file */
	struct bytes file;	/* that file's name; points into this file */
};

/*
 * Reads a TensorProto.  Fails with NPU_EFORMAT if a size is negative or too
 * large, or if the file does not have the data of all elements; the message
 * names the tensor and both sizes.
 */
int onnx_tensor_read(struct onnx_tensor *t, struct bytes tensor,
    struct npu_err *err);

#endif
