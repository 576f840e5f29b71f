/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of a TensorProto, from first to last, as floats. */
#ifndef MODEL_ONNX_NUMBERS_H
#define MODEL_ONNX_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "model/onnx_tensor.h"
#include "npu.h"

struct onnx_numbers {
	uint32_t dtype;		/* enum npu_dtype */
	uint64_t n;		/* elements */
	uint32_t ndim;
	uint64_t dim[ONNX_TENSOR_DIMS];
	bool external;		/* the elements are in another file: */
	struct bytes file;	/* its name; points into this file */
	uint64_t offset, length;	/* length 0: not stated */
	struct bytes data;	/* elements as they are in memory; NULL: they
				   are in fields */
	/* Where the next element is: bytes of data, or of the fields. */
	struct bytes tensor, packed;
	uint64_t at, packed_at, read;
};

/*
 * Begins to read the elements of a tensor.  Fails with NPU_EFORMAT if
 * onnx_tensor_read() does, if the elements are not numbers of our types with a
 * whole number of bytes, or if there are more dimensions.  For an external
 * tensor, the caller must set data before reading: its bytes, at least
 * n elements.
 */
int onnx_numbers_begin(struct onnx_numbers *r, struct bytes tensor,
    struct npu_err *err);

/* Returns the number of elements stored in out: n, or fewer at the end or if
 * the file is damaged. */
size_t onnx_numbers_read(struct onnx_numbers *r, float *out, size_t n);

#endif
