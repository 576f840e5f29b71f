/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a model's outputs with a stream of the expected ones: --ref. */
#ifndef CMD_TENSORS_EXPECTED_H
#define CMD_TENSORS_EXPECTED_H

#include "diff.h"
#include "stream.h"

/*
 * Reads the next tensor of s, which must be output i of the model, and adds it
 * and out, the bytes of that output, to *sums as real numbers.  With out NULL,
 * skips the tensor.  Returns negative if the tensor does not fit, cannot be
 * read, or is missing.
 */
int expected_add(struct stream *s, const struct npu *npu, uint32_t i,
    const uint8_t *out, struct diff_sums *sums, struct npu_err *err);

#endif
