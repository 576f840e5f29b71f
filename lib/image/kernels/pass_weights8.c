// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "image/kernels/pass_weights8.h"

static void
split(const int32_t k[PASS_QUAD], int8_t parts[QUAD_BYTES])
{
	for (int i = 0; i < PASS_QUAD; i++) {
		int32_t rest = k[i];

		for (int j = 0; j < WEIGHT_PARTS; j++) {
			parts[j * PASS_QUAD + i] = (int8_t)(uint8_t)rest;
			rest = (rest - parts[j * PASS_QUAD + i]) / 256;
		}
	}
}

/* Returns less times the sum of the weights.  The result fits in 32 bits;
 * partial sums wrap around. */
static uint32_t
lacking(const int32_t *k, size_t n, int32_t less)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (uint32_t)k[i];
	return sum * (uint32_t)less;
}

void
split_weights_of_rows(const int32_t *k, size_t n, int32_t less,
    struct split_weights *q)
{
	int32_t last[PASS_QUAD] = { 0 };

	q->n = (n + PASS_QUAD - 1) / PASS_QUAD;
	q->bias = (int32_t)lacking(k, n, less);
	for (size_t i = 0; i < n / PASS_QUAD; i++)
		split(k + PASS_QUAD * i, q->quad[i]);
	for (size_t i = n / PASS_QUAD * PASS_QUAD; i < n; i++)
		last[i % PASS_QUAD] = k[i];
	if (n % PASS_QUAD != 0)
		split(last, q->quad[q->n - 1]);
}

int
split_weights_of_windows(struct windows *w, int32_t less)
{
	size_t quads = 0, n;
	const int32_t *k = w->k;
	int8_t *parts;

	for (uint32_t i = 0; i < w->n; i++)
		quads += pass_padded(w->count[i]) / PASS_QUAD;
	parts = w->split = malloc(quads * QUAD_BYTES + 1);
	w->bias = malloc(((size_t)w->n + 1) * sizeof(*w->bias));
	if (w->split == NULL || w->bias == NULL)
		return -1;
	for (uint32_t i = 0; i < w->n; i++) {
		n = pass_padded(w->count[i]);
		w->bias[i] = (int32_t)(lacking(k, n, less) + PASS_HALF);
		for (size_t j = 0; j < n; j += PASS_QUAD, parts += QUAD_BYTES)
			split(k + j, parts);
		k += n;
	}
	return 0;
}
