/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The definitions that the kernels of layernorm.h and attention.h approximate,
 * computed in double precision, with each result rounded once to float32.
 */
#ifndef REF_EXACT_H
#define REF_EXACT_H

#include <stddef.h>
#include <stdint.h>

/* Computes (x - mean) / sqrt(variance + eps) for the row of n >= 1 bf16 at x,
 * with eps as in layernorm.h and NaN as in bf16.h. */
void ref_layernorm_exact(const uint16_t *x, size_t n, float *out);

/* Computes softmax(Q K^T / 8) V; qkv and out as in attention.h. */
void ref_attention_exact(const int8_t *qkv, float *out);

#endif
