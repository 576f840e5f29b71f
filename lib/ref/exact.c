// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "ref/attention.h"
#include "ref/bf16.h"
#include "ref/exact.h"
#include "ref/layernorm.h"

void
ref_layernorm_exact(const uint16_t *x, size_t n, float *out)
{
	uint16_t nan = bf16_row_nan(x, n);
	double s = 0, q = 0, m, root, d, y;

	for (size_t i = 0; i < n; i++)
		s += bf16_value(x[i]);
	m = s / (double)n;
	for (size_t i = 0; i < n; i++) {
		d = bf16_value(x[i]) - m;
		q += d * d;
	}
	root = sqrt(q / (double)n + bf16_value(REF_LAYERNORM_EPS));
	for (size_t i = 0; i < n; i++) {
		y = (bf16_value(x[i]) - m) / root;
		out[i] = isnan(y) ? bf16_value(bf16_element_nan(x[i], nan)) :
		    (float)y;
	}
}

/* Computes exp(score / 8) of a row of Q with each row of K, relative to the
 * largest.  Returns the sum. */
static double
weigh(const int8_t *q, const int8_t *k, double w[REF_SIDE])
{
	double most = -INFINITY, total = 0;

	for (int j = 0; j < REF_SIDE; j++) {
		w[j] = 0;
		for (int i = 0; i < REF_SIDE; i++)
			w[j] += q[i] * k[j * REF_SIDE + i];
		most = fmax(most, w[j]);
	}
	for (int j = 0; j < REF_SIDE; j++)
		total += w[j] = exp((w[j] - most) / 8);
	return total;
}

void
ref_attention_exact(const int8_t *qkv, float *out)
{
	const int8_t *k = qkv + REF_MATRIX, *v = k + REF_MATRIX;
	double w[REF_SIDE], total, y;

	for (int row = 0; row < REF_SIDE; row++) {
		total = weigh(qkv + row * REF_SIDE, k, w);
		for (int i = 0; i < REF_SIDE; i++) {
			y = 0;
			for (int j = 0; j < REF_SIDE; j++)
				y += w[j] / total * v[j * REF_SIDE + i];
			out[row * REF_SIDE + i] = (float)y;
		}
	}
}
