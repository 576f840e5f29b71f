/* SPDX-License-Identifier: Apache-2.0 */
/*
 * .safetensors files: 8 bytes with the length of a JSON header, the header, and
 * the elements of all tensors without gaps.
 */
#ifndef TENSOR_SAFETENSORS_H
#define TENSOR_SAFETENSORS_H

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

enum {
	SAFETENSORS_LENGTH = 8,
	SAFETENSORS_FIRST = 10,	/* bytes needed to identify the format */
	SAFETENSORS_MOST_HEADER = 1 << 24,
};

/* Returns whether a file of size bytes with these first bytes is a .safetensors
 * file.  *header: the length of its header; a truncated file has only a part of
 * the header. */
bool safetensors_begins(const uint8_t first[SAFETENSORS_FIRST], uint64_t size,
    size_t *header);

/*
 * Appends a struct npu_tensor for each tensor of the header to *out, in the
 * order of their elements, which must be without gaps.  A name is the same as
 * in the JSON, truncated to fit.  Free *out in every case.
 */
int safetensors_decode(struct bytes header, struct buf *out,
    struct npu_err *err);

/* Appends the length and the header of n tensors, whose elements must follow
 * without gaps.  Names must not have quotes, backslashes or control
 * characters. */
int safetensors_encode(const struct npu_tensor *t, size_t n, struct buf *out,
    struct npu_err *err);

#endif
