/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layer normalisation of rows of bf16 without gamma and beta, bit for bit as a
 * kernel on an AMD XDNA core computes it: layernorm_512_nosqrt of the report
 * that this project calls guide 003 (the repository
 * Unicorn-Commander/Unicorn-Amanuensis, November 2025), with two Newton steps.
 *
 * In float32, with each operation rounded, and sums in the order of the
 * elements:
 *
 *	m = (sum of x) / n
 *	v = (sum of (x - m)^2) / n + eps
 *	r = about 1 / sqrt(v): h = v / 2; y, the float whose bits are
 *	    0x5f3759df - (the bits of v >> 1); twice y = y (1.5 - h y y)
 *	out = (x - m) r as bf16, to nearest, half to even
 *
 * The result is within 0.5005 bf16 steps of the exact value where the exact
 * value is above 0.001 (measured).  For NaN see bf16.h.
 */
#ifndef REF_LAYERNORM_H
#define REF_LAYERNORM_H

#include <stddef.h>
#include <stdint.h>

/* The bf16 added to the variance: 1.0014e-5. */
#define REF_LAYERNORM_EPS 0x3728

/* A float32 cannot represent larger numbers of elements exactly. */
enum { REF_LAYERNORM_LONGEST = 1 << 24 };

/* Normalises the row of n >= 1 bf16 at x; out must not overlap x. */
void ref_layernorm(const uint16_t *x, size_t n, uint16_t *out);

#endif
