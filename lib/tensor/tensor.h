/* SPDX-License-Identifier: Apache-2.0 */
/* What the description of a tensor must satisfy, for label and .npy alike, and
 * what it says of its numbers. */
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

/* How to read a stored q: "x = (q + 60) / 20", or "x = q" where it is the
 * number itself. */
void tensor_formula(const struct npu_tensor *t, char *buf, size_t n);
/* The way there: "q = clip(rint(x * 20 - 60))". */
void tensor_formula_back(const struct npu_tensor *t, char *buf, size_t n);
/* From one stored integer to the next, as real numbers. */
double tensor_step(const struct npu_tensor *t);

#endif
