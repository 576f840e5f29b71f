// SPDX-License-Identifier: Apache-2.0
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
#include <string.h>

#include "base/cpu.h"
#include "image/taps.h"
#include "image/ycc.h"

/* Written once for all CPUs.  With AVX2, loops handle twice as many values at a
 * time. */
#define INLINE static inline __attribute__((always_inline))

/* ---- Along ------------------------------------------------------------- */

typedef int16_t s16x8 __attribute__((vector_size(2 * YCC_GROUP)));
typedef int32_t quad __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

/* Computes the eight products of a group, as four partial sums. */
INLINE quad
multiply(const int16_t *v, const int16_t *k)
{
	s16x8 a, b;

	memcpy(&a, v, sizeof(a));
	memcpy(&b, k, sizeof(b));
#if defined(__x86_64__)
	return (quad)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
	return vmlal_high_s16(vmull_s16(vget_low_s16(a), vget_low_s16(b)), a,
	    b);
#endif
}

INLINE quad
dot(const int16_t *v, const int16_t *k, size_t groups)
{
	quad total = multiply(v, k);

	for (size_t i = 1; i < groups; i++)
		total += multiply(v + YCC_GROUP * i, k + YCC_GROUP * i);
	return total;
}

/* Returns the totals of four times four partial sums. */
INLINE quad
add_up(quad a, quad b, quad c, quad d)
{
	quad e = __builtin_shufflevector(a, b, 0, 4, 1, 5) +
	    __builtin_shufflevector(a, b, 2, 6, 3, 7);
	quad f = __builtin_shufflevector(c, d, 0, 4, 1, 5) +
	    __builtin_shufflevector(c, d, 2, 6, 3, 7);

	return __builtin_shufflevector(e, f, 0, 1, 4, 5) +
	    __builtin_shufflevector(e, f, 2, 3, 6, 7);
}

/* Passes along with a constant number of groups, for a loop without
 * branches. */
INLINE void
along_of(const struct ycc_windows *w, size_t groups, const int16_t *v,
    float *out)
{
	const float one = 1.0f / (1 << (S16_BITS + S16_WEIGHT_BITS));
	const uint32_t *at = w->first;
	const int16_t *k = w->k;
	size_t next = YCC_GROUP * groups;
	floats four;

	for (size_t i = 0; i < w->n; i += 4, at += 4, k += 4 * next) {
		four = __builtin_convertvector(add_up(
		    dot(v + at[0], k, groups),
		    dot(v + at[1], k + next, groups),
		    dot(v + at[2], k + 2 * next, groups),
		    dot(v + at[3], k + 3 * next, groups)), floats) * one;
		memcpy(out + i, &four, sizeof(four));
	}
}

INLINE void
along(const struct ycc_windows *w, const int16_t *v, float *out)
{
	if (w->groups == 1)
		along_of(w, 1, v, out);
	else if (w->groups == 2)
		along_of(w, 2, v, out);
	else
		along_of(w, w->groups, v, out);
}

/* ---- Colours ----------------------------------------------------------- */

/*
 * libjpeg computes red and blue by adding to Y integers that depend on Cr and
 * Cb, round(1.402 Cr) and round(1.772 Cb), and green by adding an integer that
 * depends on both (jdcolor.c).  Because of this rounding, the mean of converted
 * pixels differs from the converted mean.  Between two integers of Cb or Cr,
 * the mean changes about proportionally from one result to the other, so the
 * results are interpolated.  This reduces the mean difference from 0.14 to
 * 0.08.
 */
static const float red_cr = 1.402f, blue_cb = 1.772f;
static const float green_cb = -0.344136286f, green_cr = -0.714136286f;

/* Adding a number to this rounds the number to an integer, because the sum has
 * no bits for a fraction. */
static const float large = 3 << 22;

INLINE float
whole(float x)
{
	return (x + large) - large;
}

INLINE float
between(float a, float b, float part)
{
	return a + (b - a) * part;
}

/* Interpolates between whole(a) and whole(b). */
INLINE float
between_wholes(float a, float b, float part)
{
	a += large;
	b += large;
	return (a - large) + (b - a) * part;
}

INLINE uint32_t
to_byte(float f)
{
	f += 0.5f;
	f = f < 0 ? 0 : f;
	f = f > 255 ? 255 : f;
	return (uint32_t)(int32_t)f;
}

/* Stores pixels in little-endian order, the order of all our machines. */
INLINE void
write_pixels(const float *restrict y, const float *restrict cb,
    const float *restrict cr, size_t n, uint32_t *restrict to)
{
	for (size_t i = 0; i < n; i++) {
		float u = whole(cb[i] - 128.5f), v = whole(cr[i] - 128.5f);
		float part_u = cb[i] - 128 - u, part_v = cr[i] - 128 - v;
		float g = green_cb * u + green_cr * v;
		float red = between_wholes(red_cr * v,
		    red_cr * v + red_cr, part_v);
		float blue = between_wholes(blue_cb * u,
		    blue_cb * u + blue_cb, part_u);
		float green = between(
		    between_wholes(g, g + green_cr, part_v),
		    between_wholes(g + green_cb, g + green_cb + green_cr,
		    part_v), part_u);

		to[i] = to_byte(y[i] + red) | to_byte(y[i] + green) << 8 |
		    to_byte(y[i] + blue) << 16;
	}
}

/* ---- Dispatch by CPU --------------------------------------------------- */

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))

AVX2 static void
along_avx2(const struct ycc_windows *w, const int16_t *v, float *out)
{
	along(w, v, out);
}

AVX2 static void
write_avx2(const float *y, const float *cb, const float *cr, size_t n,
    uint32_t *to)
{
	write_pixels(y, cb, cr, n, to);
}
#else
#define along_avx2 along
#define write_avx2 write_pixels
#endif

void
ycc_along(const struct ycc_windows *w, const int16_t *v, float *out)
{
	if (cpu_has_avx2())
		along_avx2(w, v, out);
	else
		along(w, v, out);
}

void
ycc_write(const float *y, const float *cb, const float *cr, size_t n,
    uint32_t *to)
{
	if (cpu_has_avx2())
		write_avx2(y, cb, cr, n, to);
	else
		write_pixels(y, cb, cr, n, to);
}
