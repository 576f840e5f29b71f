/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numpy's .npy files (NEP 1; versions 1, 2 and 3): one little-endian array in C
 * order, or in Fortran order where that is the same.  A file has a preamble of
 * NPY_PREAMBLE bytes or more, a header, and the elements.  It has no scale and
 * zero point: 1 and 0 are set.
 */
#ifndef TENSOR_NPY_H
#define TENSOR_NPY_H

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

#define NPY_MAGIC "\x93NUMPY"
enum {
	NPY_MAGIC_SIZE = 6,
	NPY_PREAMBLE = 12,	/* enough to know the header's size; version 1
				   has 10 and begins its header there */
	NPY_MAX_HEADER = 10000,	/* numpy's own limit (format.py) */
	NPY_NO_ROWS = 1,	/* npu_err.detail of npy_decode(): a sound array
				   whose first dimension is 0 */
};

/*
 * Sets *size to the bytes of preamble and header together, from the first
 * NPY_PREAMBLE bytes: at least NPY_PREAMBLE, at most NPY_MAX_HEADER +
 * NPY_PREAMBLE.
 */
int npy_head_size(const uint8_t first[NPY_PREAMBLE], size_t *size,
    struct npu_err *err);

/* Describes the array whose preamble and header are head, exactly. */
int npy_decode(struct bytes head, struct npu_tensor *t, struct npu_err *err);

/* Adds preamble and header of *t to *out; the elements follow.  A flat vector
 * gets one dimension. */
int npy_encode(const struct npu_tensor *t, struct buf *out,
    struct npu_err *err);

#endif
