// SPDX-License-Identifier: Apache-2.0
/*
 * pass.h for ARM's dot products of 8 bits, which the cores of the CD8180 have
 * (ARMv8.2, FEAT_DotProd): sixteen products at a time.  A weight of 24 bits is
 * three digits from -128 to 127, and a pixel is made signed by taking 128 away,
 * which the sum gets back as 128 times the sum of the weights:
 *
 *	sum k p = sum k (p - 128) + 128 sum k
 *	k = d0 + 256 d1 + 65536 d2
 */
#if defined(__aarch64__)
#include <arm_neon.h>
#include <stdlib.h>

#include "image/pass_ways.h"

#define DOT __attribute__((target("arch=armv8.2-a+dotprod")))
#define INLINE DOT static inline __attribute__((always_inline))

enum {
	DIGITS = 3,
	QUAD_BYTES = DIGITS * PASS_QUAD,
	MOST = 256,		/* rows; more are left to every CPU's way */
};

/* The digits of four weights: the lowest of all, then the next ... */
static void
cut(const int32_t k[PASS_QUAD], int8_t d[QUAD_BYTES])
{
	for (int i = 0; i < PASS_QUAD; i++) {
		int32_t rest = k[i];

		for (int j = 0; j < DIGITS; j++) {
			d[j * PASS_QUAD + i] = (int8_t)(uint8_t)rest;
			rest = (rest - d[j * PASS_QUAD + i]) / 256;
		}
	}
}

static int
prepare(struct windows *w)
{
	size_t quads = 0, at = 0, n;
	uint32_t bias;

	for (uint32_t i = 0; i < w->n; i++)
		quads += pass_padded(w->count[i]) / PASS_QUAD;
	w->digits = malloc(quads * QUAD_BYTES + 1);
	w->bias = malloc((size_t)w->n * sizeof(*w->bias));
	if (w->digits == NULL || w->bias == NULL)
		return -1;
	for (uint32_t i = 0; i < w->n; i++) {
		n = pass_padded(w->count[i]);
		bias = PASS_HALF;
		for (size_t j = 0; j < n; j++)
			bias += 128 * (uint32_t)w->k[at + j];
		for (size_t j = 0; j < n; j += PASS_QUAD)
			cut(w->k + at + j, w->digits +
			    (at + j) / PASS_QUAD * QUAD_BYTES);
		w->bias[i] = (int32_t)bias;
		at += n;
	}
	return 0;
}

/* Sums of the three digits, four of each. */
struct sums {
	int32x4_t d[DIGITS];
};

/* += the products of 16 pixels, four to a sum, and the digits of a quad. */
INLINE void
add(struct sums *s, int8x16_t pixels, const int8x16_t d[DIGITS])
{
	for (int i = 0; i < DIGITS; i++)
		s->d[i] = vdotq_s32(s->d[i], pixels, d[i]);
}

INLINE int32x4_t
join(const struct sums *s, int32x4_t bias)
{
	int32x4_t sum = vaddq_s32(s->d[0], vshlq_n_s32(s->d[1], 8));

	return vaddq_s32(vaddq_s32(sum, vshlq_n_s32(s->d[2], 16)), bias);
}

/* Eight sums as bytes. */
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

/* The digits of a quad, each four of them in all places. */
INLINE void
load_digits(const int8_t *p, int8x16_t d[DIGITS])
{
	const int32_t *quad = (const void *)p;

	for (int i = 0; i < DIGITS; i++)
		d[i] = vreinterpretq_s8_s32(vld1q_dup_s32(quad + i));
}

DOT static void
along(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    uint8_t *const out[PASS_ROWS])
{
	/* Four pixels channel by channel. */
	static const uint8_t turn[16] = { 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10,
	    14, 3, 7, 11, 15 };
	const uint8x16_t order = vld1q_u8(turn);
	const int8_t *digits = w->digits;

	for (size_t i = 0; i < w->n; i++) {
		const int32x4_t bias = vdupq_n_s32(w->bias[i]);
		struct sums s[PASS_ROWS] = { 0 };
		size_t at = (size_t)w->first[i] * 4;
		int8x16_t d[DIGITS];
		uint8x8_t two;

		for (uint32_t j = 0; j < w->count[i]; j += PASS_QUAD) {
			load_digits(digits, d);
			digits += QUAD_BYTES;
			for (int r = 0; r < PASS_ROWS; r++)
				add(&s[r], less_128(vqtbl1q_u8(vld1q_u8(row[r]
				    + at), order)), d);
			at += 4 * PASS_QUAD;
		}
		for (int r = 0; r < PASS_ROWS; r += 2) {
			two = to_bytes(join(&s[r], bias), join(&s[r + 1],
			    bias));
			vst1_lane_u32((void *)(out[r] + 4 * i),
			    vreinterpret_u32_u8(two), 0);
			vst1_lane_u32((void *)(out[r + 1] + 4 * i),
			    vreinterpret_u32_u8(two), 1);
		}
	}
}

/* ---- Across ------------------------------------------------------------ */

/* 16 bytes of each of four rows, row by row in each four bytes. */
INLINE void
weave(const uint8_t *const row[PASS_QUAD], size_t at, int8x16_t v[4])
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

/* How n rows are added: in quads, the last filled up with weights of 0. */
struct quads {
	size_t n;
	int8_t digits[MOST / PASS_QUAD][QUAD_BYTES];
	uint32_t bias;
};

static void
make_quads(const int32_t *k, size_t n, struct quads *q)
{
	int32_t last[PASS_QUAD] = { 0 };

	q->n = (n + PASS_QUAD - 1) / PASS_QUAD;
	q->bias = 0;
	for (size_t i = 0; i < n; i++)
		q->bias += 128 * (uint32_t)k[i];
	for (size_t i = 0; i < n / PASS_QUAD; i++)
		cut(k + PASS_QUAD * i, q->digits[i]);
	for (size_t i = n / PASS_QUAD * PASS_QUAD; i < n; i++)
		last[i % PASS_QUAD] = k[i];
	if (n % PASS_QUAD != 0)
		cut(last, q->digits[q->n - 1]);
}

/* Of 16 bytes, over all quads. */
INLINE void
sum_up(const struct quads *q, const uint8_t *const *row, size_t n, size_t at,
    struct sums s[4])
{
	const uint8_t *last[PASS_QUAD], *const *four;
	int8x16_t d[DIGITS], v[4];

	for (size_t i = 0; i < q->n; i++) {
		four = row + PASS_QUAD * i;
		if (PASS_QUAD * (i + 1) > n) {
			for (size_t k = 0; k < PASS_QUAD; k++)
				last[k] = PASS_QUAD * i + k < n ? four[k] :
				    four[0];
			four = last;
		}
		load_digits(q->digits[i], d);
		weave(four, at, v);
		for (int k = 0; k < 4; k++)
			add(&s[k], v[k], d);
	}
}

DOT static void
across(const uint8_t *const *row, const int32_t *k, size_t n, size_t bytes,
    const int32_t *from, int32_t *to, uint8_t *out)
{
	struct quads q;
	int32x4_t bias, sum[4];

	if (n > MOST) {
		way_plain.across(row, k, n, bytes, from, to, out);
		return;
	}
	make_quads(k, n, &q);
	bias = vdupq_n_s32((int32_t)(q.bias + (to == NULL ? PASS_HALF : 0)));
	for (size_t at = 0; at < bytes; at += 16) {
		struct sums s[4] = { 0 };

		sum_up(&q, row, n, at, s);
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

const struct way way_neon = { prepare, along, across };
#else
typedef int no_neon;	/* ISO C wants a declaration */
#endif
