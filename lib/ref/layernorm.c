// SPDX-License-Identifier: Apache-2.0
#include <float.h>

#include "ref/bf16.h"
#include "ref/layernorm.h"

#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
#error "layernorm.c needs each operation as written: no -ffast-math, no x87"
#endif

/* Returns a * b, rounded.  The volatile variable keeps a compiler from fusing
 * the product with an addition, no matter which options it gets. */
static float
product(float a, float b)
{
	volatile float p = a * b;

	return p;
}

/* Returns about 1 / sqrt(v): a guess based on the exponent, and two Newton
 * steps. */
static float
reciprocal_root(float v)
{
	float h = product(0.5f, v), y;
	uint32_t guess = 0x5f3759df - (float_bits(v) >> 1);

	memcpy(&y, &guess, sizeof(y));
	for (int step = 0; step < 2; step++)
		y = y * (1.5f - product(product(h, y), y));
	return y;
}

static float
mean(const uint16_t *x, size_t n)
{
	float s = 0;

	for (size_t i = 0; i < n; i++)
		s += bf16_value(x[i]);
	return s / (float)n;
}

static float
variance(const uint16_t *x, size_t n, float m)
{
	float q = 0, d;

	for (size_t i = 0; i < n; i++) {
		d = bf16_value(x[i]) - m;
		q += product(d, d);
	}
	return q / (float)n;
}

void
ref_layernorm(const uint16_t *x, size_t n, uint16_t *out)
{
	float m = mean(x, n), r, y;
	uint16_t nan = bf16_row_nan(x, n);

	r = reciprocal_root(variance(x, n, m) + bf16_value(REF_LAYERNORM_EPS));
	for (size_t i = 0; i < n; i++) {
		y = (bf16_value(x[i]) - m) * r;
		out[i] = y != y ? bf16_element_nan(x[i], nan) :
		    bf16_rounded(y);
	}
}
