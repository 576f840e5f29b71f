/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numpy's .npy files (NEP 1; versions 1, 2 and 3): one little-endian array in C
 * order, or in Fortran order where both orders are the same.  A file has a
 * preamble of at least NPY_PREAMBLE bytes, a header, and the elements.  The
 * file has neither scale nor zero point: they are set to 1 and 0.
 */
#ifndef TENSOR_NPY_H
#define TENSOR_NPY_H

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

#define NPY_MAGIC "\x93NUMPY"
enum {
	NPY_MAGIC_SIZE = 6,
	NPY_PREAMBLE = 12,	/* enough to compute the header's size; in
				 * version 1 the header begins after 10 */
	NPY_MAX_HEADER = 10000,	/* numpy's own limit (format.py) */
	NPY_MOST_DIMS = 32,	/* numpy's own limit, before numpy 2 */
	NPY_NO_ROWS = 1,	/* npu_err.detail of npy_decode(): a valid array
				 * whose first dimension is 0 */
	NPY_PICKLED = 2,	/* npu_err.detail: an array of Python
				 * objects */
};

/*
 * Sets *size to the total size of preamble and header, computed from the first
 * NPY_PREAMBLE bytes: at least NPY_PREAMBLE, at most NPY_MAX_HEADER +
 * NPY_PREAMBLE.
 */
int npy_head_size(const uint8_t first[NPY_PREAMBLE], size_t *size,
    struct npu_err *err);

/* Describes an array.  head must be exactly its preamble and header. */
int npy_decode(struct bytes head, struct npu_tensor *t, struct npu_err *err);

/* An array as numpy describes it: in any order of elements or bytes, or
 * empty. */
struct npy_array {
	uint32_t dtype;		/* enum npu_dtype */
	bool big_endian;
	bool fortran;		/* the first index varies fastest; false if
				   both orders are the same */
	uint32_t ndim;
	uint64_t dim[NPY_MOST_DIMS];
	uint64_t elements;	/* 0: empty */
	uint64_t bytes;		/* of all elements, at most NPU_MAX_PAYLOAD */
};

/* Does the same as npy_decode() for any array of the element types of this
 * library. */
int npy_decode_array(struct bytes head, struct npy_array *a,
    struct npu_err *err);

/* Appends the preamble and header of *t to *out; the elements must follow.  A
 * flat vector gets one dimension. */
int npy_encode(const struct npu_tensor *t, struct buf *out,
    struct npu_err *err);

#endif
