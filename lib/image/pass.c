// SPDX-License-Identifier: Apache-2.0
/* Which of the ways of pass_ways.h is taken, and the one of every CPU. */
#include "image/pass.h"
#include "image/pass_ways.h"

static uint8_t
to_byte(int32_t sum)
{
	int32_t v = (sum + PASS_HALF) >> TAPS_BITS;

	return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static void
along_row(const struct windows *w, const uint8_t *row, uint8_t *out)
{
	const int32_t *k = w->k;

	for (uint32_t i = 0; i < w->n; i++, out += 4) {
		const uint8_t *p = row + (size_t)w->first[i] * 4;
		int32_t sum[4] = { 0 };

		for (uint32_t j = 0; j < 2 * w->pairs[i]; j++, p += 4, k++)
			for (int c = 0; c < 4; c++)
				sum[c] += p[c] * *k;
		for (int c = 0; c < 4; c++)
			out[c] = to_byte(sum[c]);
	}
}

static void
along(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    uint8_t *const out[PASS_ROWS])
{
	for (int i = 0; i < PASS_ROWS; i++)
		along_row(w, row[i], out[i]);
}

static void
across(const uint8_t *const *row, const int32_t *k, size_t n, size_t bytes,
    const int32_t *from, int32_t *to, uint8_t *out)
{
	int32_t sum;

	for (size_t at = 0; at < bytes; at++) {
		sum = from != NULL ? from[at] : 0;
		for (size_t i = 0; i < n; i++)
			sum += row[i][at] * k[i];
		if (to != NULL)
			to[at] = sum;
		else
			out[at] = to_byte(sum);
	}
}

static const struct way plain = { along, across };

static const struct way *
way(void)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		return &way_avx2;
#endif
	return &plain;
}

void
pass_along(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    uint8_t *const out[PASS_ROWS])
{
	way()->along(w, row, out);
}

void
pass_across(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t bytes, const int32_t *from, int32_t *to, uint8_t *out)
{
	way()->across(row, k, n, bytes, from, to, out);
}
