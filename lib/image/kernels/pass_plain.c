// SPDX-License-Identifier: Apache-2.0
/* The kernel of pass.h for any CPU. */
#include "image/kernels/pass_kernels.h"

enum { PIECE = 16 };		/* bytes; at most PASS_SLACK */

/* Converts a sum that includes PASS_HALF, for rounding. */
static uint8_t
to_byte(int32_t sum)
{
	int32_t v = sum >> TAPS_BITS;

	return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

/* Computes the sums of sample i, whose weights are at k. */
static void
sample_sums(const struct windows *w, uint32_t i, const int32_t *k,
    const uint8_t *row, int32_t sum[4])
{
	const uint8_t *p = row + (size_t)w->first[i] * 4;

	for (int c = 0; c < 4; c++)
		sum[c] = PASS_HALF;
	for (uint32_t j = 0; j < w->count[i]; j++, p += 4)
		for (int c = 0; c < 4; c++)
			sum[c] += p[c] * k[j];
}

static void
along(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    uint8_t *const out[PASS_ROWS])
{
	const int32_t *k = w->k;
	int32_t sum[4];

	for (uint32_t i = 0; i < w->n; i++) {
		for (int r = 0; r < PASS_ROWS; r++) {
			sample_sums(w, i, k, row[r], sum);
			for (size_t c = 0; c < 4; c++)
				out[r][4 * (size_t)i + c] = to_byte(sum[c]);
		}
		k += pass_padded(w->count[i]);
	}
}

static void
along_sums(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    int32_t *const out[PASS_ROWS])
{
	const int32_t *k = w->k;

	for (uint32_t i = 0; i < w->n; i++) {
		for (int r = 0; r < PASS_ROWS; r++)
			sample_sums(w, i, k, row[r], out[r] + 4 * (size_t)i);
		k += pass_padded(w->count[i]);
	}
}

/* Adds a piece of the rows.  A piece is small enough to stay in registers or in
 * the first-level cache. */
static void
across_piece(const uint8_t *const *row, const int32_t *k, size_t n, size_t at,
    int32_t sum[PIECE])
{
	for (size_t i = 0; i < n; i++) {
		const uint8_t *p = row[i] + at;
		int32_t weight = k[i];

		for (size_t j = 0; j < PIECE; j++)
			sum[j] += p[j] * weight;
	}
}

static void
across(const uint8_t *const *row, const int32_t *k, size_t n, size_t bytes,
    const int32_t *from, int32_t *to, uint8_t *out)
{
	int32_t sum[PIECE];

	for (size_t at = 0; at < bytes; at += PIECE) {
		/* Another kernel may not have written the sums past bytes. */
		for (size_t j = 0; j < PIECE; j++)
			sum[j] = from != NULL && j < bytes - at ?
			    from[at + j] : 0;
		across_piece(row, k, n, at, sum);
		for (size_t j = 0; j < PIECE; j++) {
			if (to != NULL)
				to[at + j] = sum[j];
			else
				out[at + j] = to_byte(sum[j] + PASS_HALF);
		}
	}
}

static void
across_s16(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t bytes, int16_t *to)
{
	int32_t sum[PIECE];

	for (size_t at = 0; at < bytes; at += PIECE) {
		for (size_t j = 0; j < PIECE; j++)
			sum[j] = PASS_S16_HALF;
		across_piece(row, k, n, at, sum);
		for (size_t j = 0; j < PIECE; j++)
			to[at + j] = (int16_t)(sum[j] >> PASS_S16_SHIFT);
	}
}

const struct pass_kernel pass_plain = { NULL, along, along_sums, across,
    across_s16 };
