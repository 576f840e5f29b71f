// SPDX-License-Identifier: Apache-2.0
/* Which of the ways of pass_ways.h is taken, and the one of every CPU. */
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include "image/pass.h"
#include "image/pass_ways.h"

enum { PIECE = 16 };		/* bytes; no more than PASS_SLACK */

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

		for (uint32_t j = 0; j < w->count[i]; j++, p += 4)
			for (int c = 0; c < 4; c++)
				sum[c] += p[c] * k[j];
		k += pass_padded(w->count[i]);
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

/* In pieces that stay in registers or the first cache. */
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
		for (size_t j = 0; j < PIECE; j++)
			sum[j] = from != NULL ? from[at + j] : 0;
		across_piece(row, k, n, at, sum);
		for (size_t j = 0; j < PIECE; j++) {
			if (to != NULL)
				to[at + j] = sum[j];
			else
				out[at + j] = to_byte(sum[j]);
		}
	}
}

const struct way way_plain = { NULL, along, across };

static const struct way *
way(void)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx2"))
		return &way_avx2;
#elif defined(__aarch64__)
	if (getauxval(AT_HWCAP) & HWCAP_ASIMDDP)
		return &way_neon;
#endif
	return &way_plain;
}

int
pass_prepare(struct windows *w)
{
	return way()->prepare != NULL ? way()->prepare(w) : 0;
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
