/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of a tensor's description, used for the label and for .npy, and its
 * formula as text. */
#ifndef TENSOR_TENSOR_H
#define TENSOR_TENSOR_H

#include "npu.h"

/* Returns the bytes of elements elements, also for compact types; 0 if unknown.
 * elements must be at most 2^41. */
uint64_t tensor_bytes(uint32_t dtype, uint64_t elements);

/* Computes the number of elements in the shape of *t (1 without a shape), at
 * most 2^41. */
int tensor_elements(const struct npu_tensor *t, uint64_t *elements,
    struct npu_err *err);

/* Checks that shape, type, size and scale agree with each other
 * (npu-tensor(5)). */
int tensor_check(const struct npu_tensor *t, struct npu_err *err);

/* Writes the formula for a stored q: "x = (q + 60) / 20", or "x = q" if q is
 * the number itself. */
void tensor_formula(const struct npu_tensor *t, char *buf, size_t n);
/* Writes the inverse: "q = clip(rint(x * 20 - 60))". */
void tensor_formula_back(const struct npu_tensor *t, char *buf, size_t n);
/* Returns the difference between two adjacent stored integers, as real
 * numbers. */
double tensor_step(const struct npu_tensor *t);

#endif
