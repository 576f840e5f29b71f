/* SPDX-License-Identifier: Apache-2.0 */
/* The weights of an ONNX file: what a TensorProto says, and whether its data is
 * complete. */
#ifndef MODEL_ONNX_TENSOR_H
#define MODEL_ONNX_TENSOR_H

#include <stdbool.h>

#include "base/bytes.h"
#include "npu.h"

#define ONNX_TENSOR_DIMS 8

/* Texts and data point into the file. */
struct onnx_tensor {
	struct bytes name;
	uint64_t type;		/* a number of onnx_type.h */
	uint32_t ndim;
	uint64_t dim[ONNX_TENSOR_DIMS];	/* the first dimensions */
	uint64_t elements;
	uint64_t bytes;		/* of all elements, packed */
	struct bytes raw;	/* raw_data; NULL: the tensor lacks it */
	bool external;		/* the data is in another file: */
	struct bytes file;	/* its name */
	struct bytes offset, length;	/* decimal numbers, or empty */
};

/*
 * Reads a TensorProto.  Fails with NPU_EFORMAT if a size is negative or too
 * large, or if the file does not have the data of all elements; the message
 * names the tensor and both sizes.
 */
int onnx_tensor_read(struct onnx_tensor *t, struct bytes tensor,
    struct npu_err *err);

#endif
