/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of a tensor's description, for label and .npy alike, and its formula
 * as text. */
#ifndef TENSOR_TENSOR_H
#define TENSOR_TENSOR_H

#include "npu.h"

/* Bytes of so many elements, for compact types as well; 0 if unknown.  At most
 * 2^41 elements. */
uint64_t tensor_bytes(uint32_t dtype, uint64_t elements);

/* The number of elements in the shape of *t (1 without one), at most 2^41. */
int tensor_elements(const struct npu_tensor *t, uint64_t *elements,
    struct npu_err *err);

/* Checks that shape, type, size and scale agree with each other
 * (npu-tensor(5)). */
int tensor_check(const struct npu_tensor *t, struct npu_err *err);

/* The formula of a stored q: "x = (q + 60) / 20", or "x = q" if it is the
 * number itself. */
void tensor_formula(const struct npu_tensor *t, char *buf, size_t n);
/* Its inverse: "q = clip(rint(x * 20 - 60))". */
void tensor_formula_back(const struct npu_tensor *t, char *buf, size_t n);
/* The difference between one stored integer and the next, as real numbers. */
double tensor_step(const struct npu_tensor *t);

#endif
