// SPDX-License-Identifier: Apache-2.0
/*
 * pass.h for ARM's dot products of 8 bits, which the cores of the CD8180 have
 * (ARMv8.2, FEAT_DotProd): sixteen products at a time.  Both factors must be
 * signed, so 128 is subtracted from each pixel.
 */
#include "image/kernels/pass_weights8.h"

#if defined(PASS_NEON)
#include <arm_neon.h>

#if defined(__ARM_FEATURE_DOTPROD)
#define DOT
#else
#define DOT __attribute__((target("arch=armv8.2-a+dotprod")))
#endif
#define INLINE DOT static inline __attribute__((always_inline))

static int
prepare(struct windows *w)
{
	return split_weights_of_windows(w, 128);
}

/* Four sums for each of the three parts of weights. */
struct neon_sums {
	int32x4_t d[WEIGHT_PARTS];
};

/* Adds the products of 16 pixels and the n lowest parts of a quad to s, four
 * products to a sum. */
INLINE void
add(struct neon_sums *s, int8x16_t pixels, const int8x16_t d[WEIGHT_PARTS],
    int n)
{
	for (int i = 0; i < n; i++)
		s->d[i] = vdotq_s32(s->d[i], pixels, d[i]);
}

INLINE int32x4_t
join(const struct neon_sums *s, int32x4_t bias)
{
	int32x4_t sum = vaddq_s32(s->d[0], vshlq_n_s32(s->d[1], 8));

	return vaddq_s32(vaddq_s32(sum, vshlq_n_s32(s->d[2], 16)), bias);
}

/* Converts eight sums to bytes. */
INLINE uint8x8_t
to_bytes(int32x4_t a, int32x4_t b)
{
	a = vshrq_n_s32(a, TAPS_BITS);
	b = vshrq_n_s32(b, TAPS_BITS);
	return vqmovn_u16(vcombine_u16(vqmovun_s32(a), vqmovun_s32(b)));
}

INLINE int8x16_t
less_128(uint8x16_t p)
{
	return vreinterpretq_s8_u8(veorq_u8(p, vdupq_n_u8(128)));
}

/* Loads the parts of a quad, repeating each part's four bytes in all lanes. */
INLINE void
load_parts(const int8_t *p, int8x16_t d[WEIGHT_PARTS])
{
	const int32_t *quad = (const void *)p;

	for (int i = 0; i < WEIGHT_PARTS; i++)
		d[i] = vreinterpretq_s8_s32(vld1q_dup_s32(quad + i));
}

/* Computes the sums of sample i in all four rows.  Moves *split to the next
 * weights. */
INLINE void
sample_sums(const struct windows *w, size_t i,
    const uint8_t *const row[PASS_ROWS], const int8_t **split,
    int32x4_t sum[PASS_ROWS])
{
	/* Sorts four pixels by channel. */
	static const uint8_t turn[16] = { 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10,
	    14, 3, 7, 11, 15 };
	const uint8x16_t order = vld1q_u8(turn);
	struct neon_sums s[PASS_ROWS] = { 0 };
	size_t at = (size_t)w->first[i] * 4;
	int8x16_t d[WEIGHT_PARTS];

	for (uint32_t j = 0; j < w->count[i]; j += PASS_QUAD) {
		load_parts(*split, d);
		*split += QUAD_BYTES;
		for (int r = 0; r < PASS_ROWS; r++)
			add(&s[r], less_128(vqtbl1q_u8(vld1q_u8(row[r] + at),
			    order)), d, WEIGHT_PARTS);
		at += 4 * PASS_QUAD;
	}
	for (int r = 0; r < PASS_ROWS; r++)
		sum[r] = join(&s[r], vdupq_n_s32(w->bias[i]));
}

DOT static void
along(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    uint8_t *const out[PASS_ROWS])
{
	const int8_t *split = w->split;
	int32x4_t sum[PASS_ROWS];
	uint32x2_t two;

	for (size_t i = 0; i < w->n; i++) {
		sample_sums(w, i, row, &split, sum);
		for (int r = 0; r < PASS_ROWS; r += 2) {
			two = vreinterpret_u32_u8(to_bytes(sum[r],
			    sum[r + 1]));
			vst1_lane_u32((void *)(out[r] + 4 * i), two, 0);
			vst1_lane_u32((void *)(out[r + 1] + 4 * i), two, 1);
		}
	}
}

DOT static void
along_sums(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    int32_t *const out[PASS_ROWS])
{
	const int8_t *split = w->split;
	int32x4_t sum[PASS_ROWS];

	for (size_t i = 0; i < w->n; i++) {
		sample_sums(w, i, row, &split, sum);
		for (int r = 0; r < PASS_ROWS; r++)
			vst1q_s32(out[r] + 4 * i, sum[r]);
	}
}

/* ---- Across ------------------------------------------------------------ */

/* Loads 16 bytes of each of four rows, interleaved: each four bytes hold one
 * byte of each row. */
INLINE void
interleave(const uint8_t *const row[PASS_QUAD], size_t at, int8x16_t v[4])
{
	uint8x16x2_t even = vzipq_u8(vld1q_u8(row[0] + at),
	    vld1q_u8(row[2] + at));
	uint8x16x2_t odd = vzipq_u8(vld1q_u8(row[1] + at),
	    vld1q_u8(row[3] + at));

	for (int i = 0; i < 2; i++) {
		uint8x16x2_t both = vzipq_u8(even.val[i], odd.val[i]);

		v[2 * i] = less_128(both.val[0]);
		v[2 * i + 1] = less_128(both.val[1]);
	}
}

/* Sums up 16 bytes over all quads, with the lowest parts of the weights. */
INLINE void
sum_up(const struct split_weights *q, const uint8_t *const *row, size_t n,
    size_t at, int parts, struct neon_sums s[4])
{
	const uint8_t *last[PASS_QUAD], *const *four;
	int8x16_t d[WEIGHT_PARTS], v[4];

	for (size_t i = 0; i < q->n; i++) {
		four = row + PASS_QUAD * i;
		if (PASS_QUAD * (i + 1) > n) {
			for (size_t k = 0; k < PASS_QUAD; k++)
				last[k] = PASS_QUAD * i + k < n ? four[k] :
				    four[0];
			four = last;
		}
		load_parts(q->quad[i], d);
		interleave(four, at, v);
		for (int k = 0; k < 4; k++)
			add(&s[k], v[k], d, parts);
	}
}

DOT static void
across(const uint8_t *const *row, const int32_t *k, size_t n, size_t bytes,
    const int32_t *from, int32_t *to, uint8_t *out)
{
	struct split_weights q;
	int32x4_t bias, sum[4];

	if (n > SPLIT_ROWS) {
		pass_plain.across(row, k, n, bytes, from, to, out);
		return;
	}
	split_weights_of_rows(k, n, 128, &q);
	bias = vdupq_n_s32(q.bias);
	if (to == NULL)
		bias = vaddq_s32(bias, vdupq_n_s32(PASS_HALF));
	for (size_t at = 0; at < bytes; at += 16) {
		struct neon_sums s[4] = { 0 };

		sum_up(&q, row, n, at, WEIGHT_PARTS, s);
		for (int i = 0; i < 4; i++) {
			sum[i] = join(&s[i], bias);
			if (from != NULL)
				sum[i] = vaddq_s32(sum[i],
				    vld1q_s32(from + at + 4 * i));
			if (to != NULL)
				vst1q_s32(to + at + 4 * i, sum[i]);
		}
		if (to == NULL)
			vst1q_u8(out + at, vcombine_u8(
			    to_bytes(sum[0], sum[1]),
			    to_bytes(sum[2], sum[3])));
	}
}

DOT static void
across_s16(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t bytes, int16_t *to)
{
	struct split_weights q;
	int32x4_t bias;

	if (n > SPLIT_ROWS) {
		pass_plain.across_s16(row, k, n, bytes, to);
		return;
	}
	split_weights_of_rows(k, n, 128, &q);
	bias = vdupq_n_s32(q.bias + PASS_S16_HALF);
	for (size_t at = 0; at < bytes; at += 16) {
		struct neon_sums s[4] = { 0 };

		sum_up(&q, row, n, at, S16_PARTS, s);
		for (int i = 0; i < 4; i++)
			vst1_s16(to + at + 4 * i, vshrn_n_s32(join(&s[i],
			    bias), PASS_S16_SHIFT));
	}
}

const struct pass_kernel pass_neon = { prepare, along, along_sums, across,
    across_s16 };
#else
typedef int no_neon;	/* ISO C needs a declaration */
#endif
