// SPDX-License-Identifier: Apache-2.0
/*
 * convert_kernels.h for AVX-512 VBMI: a table of 256 bytes fills four
 * registers, in which 64 values at a time are looked up.  With a table for each
 * byte of an element, all types are handled in the same way.
 */
#if defined(__x86_64__)
#include <immintrin.h>

#include "vision/convert_kernels.h"

#define VBMI __attribute__((target("avx512f,avx512bw,avx512vbmi")))
#define INLINE VBMI static inline __attribute__((always_inline))

enum { AT_ONCE = 64 };

/* Bytes 8k to 8k + 7 of a vector, given by f. */
#define EIGHT(f, k) f(8 * (k)), f(8 * (k) + 1), f(8 * (k) + 2), \
	f(8 * (k) + 3), f(8 * (k) + 4), f(8 * (k) + 5), f(8 * (k) + 6), \
	f(8 * (k) + 7)
#define ALL(f) { EIGHT(f, 0), EIGHT(f, 1), EIGHT(f, 2), EIGHT(f, 3), \
	EIGHT(f, 4), EIGHT(f, 5), EIGHT(f, 6), EIGHT(f, 7) }

/* These select from 32 pixels in two vectors: all red, then all green bytes;
 * blue. */
#define RED_GREEN(i) ((i) % 32 * 4 + (i) / 32)
#define BLUE(i) ((i) % 32 * 4 + 2)
/* These interleave the bytes of two vectors: the lower halves; the upper
 * halves. */
#define LOWER(i) ((i) / 2 + (i) % 2 * 64)
#define UPPER(i) (32 + (i) / 2 + (i) % 2 * 64)
/* The same for pairs of bytes. */
#define LOWER2(i) ((i) / 4 * 2 + (i) % 2 + (i) / 2 % 2 * 64)
#define UPPER2(i) (32 + LOWER2(i))

static const uint8_t red_green[] = ALL(RED_GREEN), blue[] = ALL(BLUE),
    lower[] = ALL(LOWER), upper[] = ALL(UPPER),
    lower2[] = ALL(LOWER2), upper2[] = ALL(UPPER2);

INLINE __m512i
load(const uint8_t *p)
{
	return _mm512_loadu_si512(p);
}

INLINE __m512i
pick(__m512i a, const uint8_t *which, __m512i b)
{
	return _mm512_permutex2var_epi8(a, load(which), b);
}

/* Splits 64 pixels by channel, without the fourth. */
INLINE void
split(const uint8_t *pixels, __m512i plane[3])
{
	__m512i v[4], a, b;

	for (int i = 0; i < 4; i++)
		v[i] = load(pixels + AT_ONCE * i);
	a = pick(v[0], red_green, v[1]);
	b = pick(v[2], red_green, v[3]);
	plane[0] = _mm512_inserti64x4(a, _mm512_castsi512_si256(b), 1);
	plane[1] = _mm512_shuffle_i64x2(a, b, 0xee);
	a = pick(v[0], blue, v[1]);
	b = pick(v[2], blue, v[3]);
	plane[2] = _mm512_inserti64x4(a, _mm512_castsi512_si256(b), 1);
}

INLINE __m512i
look_up(const uint8_t table[256], __m512i values)
{
	__m512i small = _mm512_permutex2var_epi8(load(table), values,
	    load(table + 64));
	__m512i large = _mm512_permutex2var_epi8(load(table + 128), values,
	    load(table + 192));

	return _mm512_mask_blend_epi8(_mm512_movepi8_mask(values), small,
	    large);
}

INLINE void
store(uint8_t *out, __m512i v)
{
	_mm512_storeu_si512(out, v);
}

/* size is a constant; this gives a loop for each size. */
INLINE void
elements(const uint8_t table[][256], size_t size, __m512i values,
    uint8_t *out)
{
	__m512i b[CONVERT_MOST], low[2], high[2];

	for (size_t i = 0; i < size; i++)
		b[i] = look_up(table[i], values);
	if (size == 1) {
		store(out, b[0]);
		return;
	}
	for (size_t i = 0; i < size / 2; i++) {
		low[i] = pick(b[2 * i], lower, b[2 * i + 1]);
		high[i] = pick(b[2 * i], upper, b[2 * i + 1]);
	}
	if (size == 2) {
		store(out, low[0]);
		store(out + 64, high[0]);
		return;
	}
	store(out, pick(low[0], lower2, low[1]));
	store(out + 64, pick(low[0], upper2, low[1]));
	store(out + 128, pick(high[0], lower2, high[1]));
	store(out + 192, pick(high[0], upper2, high[1]));
}

INLINE void
planes_of(const struct convert *restrict c, size_t size,
    const uint8_t *restrict pixels, size_t n, uint8_t *restrict out)
{
	const size_t side = c->plane;
	const int bgr = c->channel[0] == 2;
	__m512i plane[3];

	for (size_t i = 0; i < n; i += AT_ONCE) {
		if (n - i < AT_ONCE)
			i = n - AT_ONCE;	/* converts some again */
		split(pixels + 4 * i, plane);
		for (int k = 0; k < 3; k++)
			elements(c->byte[bgr ? 2 - k : k], size, plane[k],
			    out + (size_t)(bgr ? 2 - k : k) * side + i * size);
	}
}

VBMI static void
planes(const struct convert *c, const uint8_t *pixels, size_t n, uint8_t *out)
{
	switch (c->size) {
	case 1: planes_of(c, 1, pixels, n, out); break;
	case 2: planes_of(c, 2, pixels, n, out); break;
	default: planes_of(c, 4, pixels, n, out);
	}
}

static bool
knows(uint32_t dtype)
{
	(void)dtype;
	return true;
}

const struct convert_kernel convert_vbmi = { knows, planes };
#else
typedef int no_vbmi;	/* ISO C needs a declaration */
#endif
