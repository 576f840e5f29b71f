/* SPDX-License-Identifier: Apache-2.0 */
/*
 * .safetensors files: 8 bytes with the length of a JSON header, the header, and
 * the elements of all tensors, back to back.
 */
#ifndef TENSOR_SAFETENSORS_H
#define TENSOR_SAFETENSORS_H

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

enum {
	SAFETENSORS_LENGTH = 8,
	SAFETENSORS_FIRST = 10,	/* bytes that show the kind */
	SAFETENSORS_MOST_HEADER = 1 << 24,
};

/* Whether a file of size bytes that begins so is one; *header: the length of
 * its header, which a file that was cut has not all of. */
bool safetensors_begins(const uint8_t first[SAFETENSORS_FIRST], uint64_t size,
    size_t *header);

/*
 * Adds a struct npu_tensor for each tensor of the header to *out, in the order
 * of their elements, which must be back to back.  A name is as in the JSON, cut
 * to its room.  Free *out in every case.
 */
int safetensors_decode(struct bytes header, struct buf *out,
    struct npu_err *err);

/* Adds the length and the header of n tensors, whose elements follow back to
 * back.  Names have no quotes, backslashes and control characters. */
int safetensors_encode(const struct npu_tensor *t, size_t n, struct buf *out,
    struct npu_err *err);

#endif
