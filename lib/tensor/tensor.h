/* SPDX-License-Identifier: Apache-2.0 */
/* What a description of a tensor must satisfy, for label and .npy alike. */
#ifndef TENSOR_TENSOR_H
#define TENSOR_TENSOR_H

#include "npu.h"

/* Bytes that so many elements take, compact types too; 0 if unknown.  At most
 * 2^41 elements. */
uint64_t tensor_bytes(uint32_t dtype, uint64_t elements);

/* Elements that the shape of *t has (1 without one), bounded by 2^41. */
int tensor_elements(const struct npu_tensor *t, uint64_t *elements,
    struct npu_err *err);

/* Shape, type, size and scale agree with each other (npu-tensor(5)). */
int tensor_check(const struct npu_tensor *t, struct npu_err *err);

#endif
