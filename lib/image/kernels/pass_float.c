// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "image/kernels/pass_float.h"
#include "image/taps.h"

/* A pixel.  Multiplication needs a named type. */
typedef float pixel __attribute__((vector_size(16)));

static const float one = 1.0f / (1 << TAPS_BITS);

void
pass_float_read(const int32_t *sum, size_t n, int32_t less, float *to)
{
	for (size_t i = 0; i < n; i++) {
		float v = (float)(sum[i] - less) * one;

		memcpy(to + i, &v, sizeof(v));	/* to and sum may be the same */
	}
}

void
pass_float_write(const float *v, size_t n, uint8_t *to)
{
	float f;

	for (size_t i = 0; i < n; i++) {
		f = v[i] + 0.5f;
		f = f < 0 ? 0 : f > 255 ? 255 : f;
		to[i] = (uint8_t)f;
	}
}

void
pass_float_along(const struct windows *w, const float *row, float *out)
{
	const int32_t *k = w->k;
	const float *p;
	pixel sum, v;

	for (uint32_t i = 0; i < w->n; i++, out += 4) {
		p = row + (size_t)w->first[i] * 4;
		sum = (pixel){ 0 };
		for (uint32_t j = 0; j < w->count[i]; j++) {
			memcpy(&v, p + 4 * (size_t)j, sizeof(v));
			sum += v * ((float)k[j] * one);
		}
		memcpy(out, &sum, sizeof(sum));
		k += pass_padded(w->count[i]);
	}
}

void
pass_float_across(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t values, const float *from, float *to)
{
	if (from == NULL)
		memset(to, 0, values * sizeof(*to));
	else if (from != to)
		memcpy(to, from, values * sizeof(*to));
	for (size_t i = 0; i < n; i++) {
		const float *restrict p = (const void *)row[i];
		float weight = (float)k[i] * one;

		for (size_t j = 0; j < values; j++)
			to[j] += p[j] * weight;
	}
}
