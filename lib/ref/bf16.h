/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bfloat16, the upper half of a float32, and the NaN that a result gets.
 *
 * IEEE 754 leaves the sign and payload of a NaN to the processor, and C leaves
 * the order of operands to the compiler.  To make results independent of both,
 * they follow a rule, which is what x86-64 does where its compilers agree: an
 * element that is NaN keeps its bits; other elements get the bits of the row's
 * first NaN, or 0xffc0 if infinities caused the NaN.  Each NaN is made quiet.
 */
#ifndef REF_BF16_H
#define REF_BF16_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline float
bf16_value(uint16_t b)
{
	uint32_t bits = (uint32_t)b << 16;
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static inline uint32_t
float_bits(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

/* Rounds to nearest, half to even; a carry into the exponent is correct.  y
 * must not be NaN. */
static inline uint16_t
bf16_rounded(float y)
{
	uint32_t bits = float_bits(y);

	return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static inline bool
bf16_is_nan(uint16_t b)
{
	return (b & 0x7fff) > 0x7f80;
}

/* Returns the NaN for the elements of the row x that are not NaN themselves. */
static inline uint16_t
bf16_row_nan(const uint16_t *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bf16_is_nan(x[i]))
			return x[i] | 0x40;
	return 0xffc0;
}

/* Returns the NaN for element x of a row; row_nan comes from bf16_row_nan(). */
static inline uint16_t
bf16_element_nan(uint16_t x, uint16_t row_nan)
{
	return bf16_is_nan(x) ? x | 0x40 : row_nan;
}

#endif
