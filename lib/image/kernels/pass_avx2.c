// SPDX-License-Identifier: Apache-2.0
/* pass.h for AVX2: a register holds eight sums, for two pixels. */
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "image/kernels/pass_kernels.h"

#define AVX2 __attribute__((target("avx2")))
#define INLINE AVX2 static inline __attribute__((always_inline))

/* Loads p[0..8) as eight integers. */
INLINE __m256i
load8(const uint8_t *p)
{
	return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)p));
}

/* Adds the sums of even and odd pixels, in two rows. */
INLINE __m256i
both(__m256i s0, __m256i s1)
{
	return _mm256_add_epi32(_mm256_set1_epi32(PASS_HALF),
	    _mm256_add_epi32(_mm256_permute2x128_si256(s0, s1, 0x20),
	    _mm256_permute2x128_si256(s0, s1, 0x31)));
}

/* Adds two pixels of each row, times their weights, to sum. */
INLINE void
add_pair(const uint8_t *const row[PASS_ROWS], size_t at, const int32_t *k,
    __m256i sum[PASS_ROWS])
{
	const __m256i spread = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
	__m256i weights = _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(
	    _mm_loadl_epi64((const void *)k)), spread);

	for (int r = 0; r < PASS_ROWS; r++)
		sum[r] = _mm256_add_epi32(sum[r], _mm256_mullo_epi32(weights,
		    load8(row[r] + at)));
}

/* Computes the sums of sample i: two[0] for rows 0 and 1, two[1] for rows 2 and
 * 3.  Moves *k to the next weights. */
INLINE void
sample_sums(const struct windows *w, size_t i,
    const uint8_t *const row[PASS_ROWS], const int32_t **k, __m256i two[2])
{
	__m256i sum[PASS_ROWS];
	size_t at = (size_t)w->first[i] * 4;

	for (int r = 0; r < PASS_ROWS; r++)
		sum[r] = _mm256_setzero_si256();
	for (uint32_t j = 0; j < w->count[i]; j += 2, at += 8)
		add_pair(row, at, *k + j, sum);
	*k += pass_padded(w->count[i]);
	two[0] = both(sum[0], sum[1]);
	two[1] = both(sum[2], sum[3]);
}

AVX2 static void
along(const struct windows *w, const uint8_t *const rows[PASS_ROWS],
    uint8_t *const out[PASS_ROWS])
{
	const uint8_t *const row[] = { rows[0], rows[1], rows[2], rows[3] };
	const int32_t *k = w->k;
	int32_t pixel[PASS_ROWS];
	__m256i two[2], v;

	for (size_t i = 0; i < w->n; i++) {
		sample_sums(w, i, row, &k, two);
		v = _mm256_packs_epi32(_mm256_srai_epi32(two[0], TAPS_BITS),
		    _mm256_srai_epi32(two[1], TAPS_BITS));
		/* Rows 0 and 2, then 1 and 3. */
		_mm_storeu_si128((void *)pixel, _mm_packus_epi16(
		    _mm256_castsi256_si128(v), _mm256_extracti128_si256(v,
		    1)));
		memcpy(out[0] + 4 * i, &pixel[0], 4);
		memcpy(out[2] + 4 * i, &pixel[1], 4);
		memcpy(out[1] + 4 * i, &pixel[2], 4);
		memcpy(out[3] + 4 * i, &pixel[3], 4);
	}
}

AVX2 static void
along_sums(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    int32_t *const out[PASS_ROWS])
{
	const int32_t *k = w->k;
	__m256i two[2];

	for (size_t i = 0; i < w->n; i++) {
		sample_sums(w, i, row, &k, two);
		for (int r = 0; r < PASS_ROWS; r += 2) {
			_mm_storeu_si128((void *)(out[r] + 4 * i),
			    _mm256_castsi256_si128(two[r / 2]));
			_mm_storeu_si128((void *)(out[r + 1] + 4 * i),
			    _mm256_extracti128_si256(two[r / 2], 1));
		}
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

/* Adds interleaved bytes of two rows, times their weights, to sum[0] and
 * sum[1]. */
INLINE void
add_turns(__m256i bytes, __m256i weights, __m256i sum[2])
{
	const __m256i none = _mm256_setzero_si256();

	sum[0] = _mm256_add_epi32(sum[0], _mm256_madd_epi16(
	    _mm256_unpacklo_epi8(bytes, none), weights));
	sum[1] = _mm256_add_epi32(sum[1], _mm256_madd_epi16(
	    _mm256_unpackhi_epi8(bytes, none), weights));
}

/* Adds 32 bytes of two rows, times the weights of both, to sum.  Each sum gets
 * four of every sixteen bytes. */
INLINE void
add_rows(const uint8_t *a, const uint8_t *b, int32_t weights, __m256i sum[4])
{
	__m256i both = _mm256_set1_epi32(weights);
	__m256i p = _mm256_loadu_si256((const void *)a);
	__m256i q = _mm256_loadu_si256((const void *)b);

	add_turns(_mm256_unpacklo_epi8(p, q), both, sum);
	add_turns(_mm256_unpackhi_epi8(p, q), both, sum + 2);
}

INLINE __m256i
to_s16(__m256i a, __m256i b)
{
	return _mm256_packs_epi32(_mm256_srai_epi32(a, PASS_S16_SHIFT),
	    _mm256_srai_epi32(b, PASS_S16_SHIFT));
}

AVX2 static void
across_s16(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t bytes, int16_t *to)
{
	const __m256i half = _mm256_set1_epi32(PASS_S16_HALF);
	__m256i sum[4], a, b;

	for (size_t at = 0; at < bytes; at += 32) {
		sum[0] = sum[1] = sum[2] = sum[3] = half;
		for (size_t i = 0; i + 1 < n; i += 2)
			add_rows(row[i] + at, row[i + 1] + at,
			    k[i] | k[i + 1] << 16, sum);
		if (n % 2 != 0)
			add_rows(row[n - 1] + at, row[n - 1] + at, k[n - 1],
			    sum);
		a = to_s16(sum[0], sum[1]);
		b = to_s16(sum[2], sum[3]);
		_mm256_storeu_si256((void *)(to + at),
		    _mm256_permute2x128_si256(a, b, 0x20));
		_mm256_storeu_si256((void *)(to + at + 16),
		    _mm256_permute2x128_si256(a, b, 0x31));
	}
}

const struct pass_kernel pass_avx2 = { NULL, along, along_sums, across,
    across_s16 };
#else
typedef int no_avx2;	/* ISO C needs a declaration */
#endif
