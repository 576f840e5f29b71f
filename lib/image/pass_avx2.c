// SPDX-License-Identifier: Apache-2.0
/* pass.h for AVX2: eight sums, two pixels, in a register. */
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "image/pass_ways.h"

#define AVX2 __attribute__((target("avx2")))

/* p[0..8) as eight integers. */
AVX2 static inline __m256i
load8(const uint8_t *p)
{
	return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)p));
}

/* The sums of even and of odd pixels, of two rows each: four pixels. */
AVX2 static inline __m128i
to_pixels(__m256i s0, __m256i s1, __m256i s2, __m256i s3)
{
	const __m256i half = _mm256_set1_epi32(PASS_HALF);
	__m256i a = _mm256_add_epi32(_mm256_permute2x128_si256(s0, s1, 0x20),
	    _mm256_permute2x128_si256(s0, s1, 0x31));
	__m256i b = _mm256_add_epi32(_mm256_permute2x128_si256(s2, s3, 0x20),
	    _mm256_permute2x128_si256(s2, s3, 0x31));

	a = _mm256_srai_epi32(_mm256_add_epi32(a, half), TAPS_BITS);
	b = _mm256_srai_epi32(_mm256_add_epi32(b, half), TAPS_BITS);
	a = _mm256_packs_epi32(a, b);		/* rows 0 2 | 1 3 */
	return _mm_packus_epi16(_mm256_castsi256_si128(a),
	    _mm256_extracti128_si256(a, 1));	/* rows 0 2 1 3 */
}

AVX2 static inline void
store4(uint8_t *out, int32_t pixel)
{
	memcpy(out, &pixel, sizeof(pixel));
}

AVX2 static void
along(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    uint8_t *const out[PASS_ROWS])
{
	const __m256i spread = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
	const uint8_t *r0 = row[0], *r1 = row[1], *r2 = row[2], *r3 = row[3];
	const int32_t *k = w->k;

	for (size_t i = 0; i < w->n; i++) {
		__m256i s0, s1, s2, s3, both;
		__m128i pixels;
		size_t at = (size_t)w->first[i] * 4;

		s0 = s1 = s2 = s3 = _mm256_setzero_si256();
		for (uint32_t j = 0; j < w->count[i]; j += 2, at += 8) {
			both = _mm256_permutevar8x32_epi32(
			    _mm256_castsi128_si256(
			    _mm_loadl_epi64((const void *)(k + j))), spread);
			s0 = _mm256_add_epi32(s0, _mm256_mullo_epi32(both,
			    load8(r0 + at)));
			s1 = _mm256_add_epi32(s1, _mm256_mullo_epi32(both,
			    load8(r1 + at)));
			s2 = _mm256_add_epi32(s2, _mm256_mullo_epi32(both,
			    load8(r2 + at)));
			s3 = _mm256_add_epi32(s3, _mm256_mullo_epi32(both,
			    load8(r3 + at)));
		}
		k += pass_padded(w->count[i]);
		pixels = to_pixels(s0, s1, s2, s3);
		store4(out[0] + 4 * i, _mm_extract_epi32(pixels, 0));
		store4(out[2] + 4 * i, _mm_extract_epi32(pixels, 1));
		store4(out[1] + 4 * i, _mm_extract_epi32(pixels, 2));
		store4(out[3] + 4 * i, _mm_extract_epi32(pixels, 3));
	}
}

AVX2 static void
across(const uint8_t *const *row, const int32_t *k, size_t n, size_t bytes,
    const int32_t *from, int32_t *to, uint8_t *out)
{
	const __m256i half = _mm256_set1_epi32(PASS_HALF);
	__m256i a, b, weight;

	for (size_t at = 0; at < bytes; at += 16) {
		a = b = _mm256_setzero_si256();
		if (from != NULL) {
			a = _mm256_loadu_si256((const void *)(from + at));
			b = _mm256_loadu_si256((const void *)(from + at + 8));
		}
		for (size_t i = 0; i < n; i++) {
			weight = _mm256_set1_epi32(k[i]);
			a = _mm256_add_epi32(a, _mm256_mullo_epi32(weight,
			    load8(row[i] + at)));
			b = _mm256_add_epi32(b, _mm256_mullo_epi32(weight,
			    load8(row[i] + at + 8)));
		}
		if (to != NULL) {
			_mm256_storeu_si256((void *)(to + at), a);
			_mm256_storeu_si256((void *)(to + at + 8), b);
			continue;
		}
		a = _mm256_srai_epi32(_mm256_add_epi32(a, half), TAPS_BITS);
		b = _mm256_srai_epi32(_mm256_add_epi32(b, half), TAPS_BITS);
		a = _mm256_permute4x64_epi64(_mm256_packs_epi32(a, b), 0xd8);
		_mm_storeu_si128((void *)(out + at), _mm_packus_epi16(
		    _mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1)));
	}
}

const struct way way_avx2 = { NULL, along, across };
#else
typedef int no_avx2;	/* ISO C wants a declaration */
#endif
