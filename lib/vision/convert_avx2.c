// SPDX-License-Identifier: Apache-2.0
/* convert_kernels.h for AVX2, F16C and FMA: 32 pixels at a time. */
#if defined(__x86_64__)
#include <immintrin.h>

#include "vision/convert_kernels.h"

#define AVX2 __attribute__((target("avx2,f16c,fma")))
#define INLINE AVX2 static inline __attribute__((always_inline))

enum { AT_ONCE = 32 };

/* Splits 32 pixels by channel, without the fourth. */
INLINE void
split(const uint8_t *pixels, __m256i plane[3])
{
	const __m256i gather = _mm256_setr_epi8(
	    0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,
	    0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
	const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
	__m256i v[4], lo[2], hi[2];

	for (int i = 0; i < 4; i++)
		v[i] = _mm256_shuffle_epi8(_mm256_loadu_si256(
		    (const void *)(pixels + 32 * i)), gather);
	for (int i = 0; i < 2; i++) {
		lo[i] = _mm256_unpacklo_epi32(v[2 * i], v[2 * i + 1]);
		hi[i] = _mm256_unpackhi_epi32(v[2 * i], v[2 * i + 1]);
	}
	plane[0] = _mm256_unpacklo_epi64(lo[0], lo[1]);
	plane[1] = _mm256_unpackhi_epi64(lo[0], lo[1]);
	plane[2] = _mm256_unpacklo_epi64(hi[0], hi[1]);
	for (int i = 0; i < 3; i++)
		plane[i] = _mm256_permutevar8x32_epi32(plane[i], order);
}

/* Computes a * v + b for one channel of 32 pixels, eight at a time.  mask
 * selects the channel from each four bytes. */
INLINE void
lines(const __m256i pixels[4], __m256i mask, __m256 a, __m256 b, __m256 x[4])
{
	for (int i = 0; i < 4; i++)
		x[i] = _mm256_fmadd_ps(a, _mm256_cvtepi32_ps(
		    _mm256_shuffle_epi8(pixels[i], mask)), b);
}

/* Rounds to 16 bits, signed or unsigned, in the order 0-3, 8-11 | 4-7,
 * 12-15. */
INLINE __m256i
round16(__m256 x, __m256 y, bool has_sign)
{
	__m256i a = _mm256_cvtps_epi32(x), b = _mm256_cvtps_epi32(y);

	return has_sign ? _mm256_packs_epi32(a, b) : _mm256_packus_epi32(a, b);
}

INLINE void
store(uint32_t dtype, const __m256 x[4], uint8_t *out)
{
	const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
	__m256i q, r;

	switch (dtype) {
	case NPU_U8:
	case NPU_S8:
		q = round16(x[0], x[1], true);
		r = round16(x[2], x[3], true);
		q = dtype == NPU_U8 ? _mm256_packus_epi16(q, r) :
		    _mm256_packs_epi16(q, r);
		_mm256_storeu_si256((void *)out,
		    _mm256_permutevar8x32_epi32(q, order));
		break;
	case NPU_U16:
	case NPU_S16:
		q = round16(x[0], x[1], dtype == NPU_S16);
		r = round16(x[2], x[3], dtype == NPU_S16);
		_mm256_storeu_si256((void *)out,
		    _mm256_permute4x64_epi64(q, 0xd8));
		_mm256_storeu_si256((void *)(out + 32),
		    _mm256_permute4x64_epi64(r, 0xd8));
		break;
	case NPU_F16:
		for (int i = 0; i < 4; i++)
			_mm_storeu_si128((void *)(out + 16 * i),
			    _mm256_cvtps_ph(x[i], _MM_FROUND_TO_NEAREST_INT));
		break;
	default:	/* NPU_F32 */
		for (int i = 0; i < 4; i++)
			_mm256_storeu_ps((void *)(out + 32 * i), x[i]);
	}
}

/* A mask that selects the first of the four bytes from i on and sets the others
 * to 0. */
#define O(i) (int)(0x80808000u + (i))

/* dtype is a constant; this gives a loop for each type. */
INLINE void
planes_of(const struct convert *c, uint32_t dtype, size_t size,
    const uint8_t *pixels, size_t n, uint8_t *out)
{
	const size_t plane = c->plane;
	__m256i mask[3], v[4];
	__m256 a[3], b[3], x[4];

	for (int k = 0; k < 3; k++) {
		a[k] = _mm256_set1_ps(c->a[k]);
		b[k] = _mm256_set1_ps(c->b[k]);
		mask[k] = _mm256_add_epi32(_mm256_set1_epi32(c->channel[k]),
		    _mm256_setr_epi32(O(0), O(4), O(8), O(12), O(0), O(4),
		    O(8), O(12)));
	}
	for (size_t i = 0; i < n; i += AT_ONCE) {
		if (n - i < AT_ONCE)
			i = n - AT_ONCE;	/* converts some again */
		for (int k = 0; k < 4; k++)
			v[k] = _mm256_loadu_si256((const void *)(pixels +
			    4 * i + 32 * k));
		for (int k = 0; k < 3; k++) {
			lines(v, mask[k], a[k], b[k], x);
			store(dtype, x, out + k * plane + i * size);
		}
	}
}

AVX2 static void
copies(const struct convert *c, const uint8_t *pixels, size_t n, uint8_t *out)
{
	uint8_t *red = out + (c->channel[0] == 2 ? 2 : 0) * c->plane;
	uint8_t *green = out + c->plane;
	uint8_t *blue = out + (c->channel[0] == 2 ? 0 : 2) * c->plane;
	__m256i plane[3];

	for (size_t i = 0; i < n; i += AT_ONCE) {
		if (n - i < AT_ONCE)
			i = n - AT_ONCE;	/* converts some again */
		split(pixels + 4 * i, plane);
		_mm256_storeu_si256((void *)(red + i), plane[0]);
		_mm256_storeu_si256((void *)(green + i), plane[1]);
		_mm256_storeu_si256((void *)(blue + i), plane[2]);
	}
}

AVX2 static void
planes(const struct convert *c, const uint8_t *pixels, size_t n, uint8_t *out)
{
	if (c->copies) {
		copies(c, pixels, n, out);
		return;
	}
	switch (c->dtype) {	/* knows() rejects other types */
	case NPU_U8: planes_of(c, NPU_U8, 1, pixels, n, out); break;
	case NPU_S8: planes_of(c, NPU_S8, 1, pixels, n, out); break;
	case NPU_U16: planes_of(c, NPU_U16, 2, pixels, n, out); break;
	case NPU_S16: planes_of(c, NPU_S16, 2, pixels, n, out); break;
	case NPU_F16: planes_of(c, NPU_F16, 2, pixels, n, out); break;
	default: planes_of(c, NPU_F32, 4, pixels, n, out);
	}
}

static bool
knows(uint32_t dtype)
{
	return dtype == NPU_U8 || dtype == NPU_S8 || dtype == NPU_U16 ||
	    dtype == NPU_S16 || dtype == NPU_F16 || dtype == NPU_F32;
}

const struct convert_kernel convert_avx2 = { knows, planes };
#else
typedef int no_avx2;	/* ISO C needs a declaration */
#endif
