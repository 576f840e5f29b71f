// SPDX-License-Identifier: Apache-2.0
/* pass.h for AVX-512 VNNI: 64 products of unsigned pixels and signed parts of
 * weights at a time. */
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "image/kernels/pass_weights8.h"

#define VNNI __attribute__((target("avx512f,avx512bw,avx512vnni")))
#define INLINE VNNI static inline __attribute__((always_inline))

static int
prepare(struct windows *w)
{
	return split_weights_of_windows(w, 0);
}

/* Sixteen sums for each of the three parts of weights. */
struct vnni_sums {
	__m512i d[WEIGHT_PARTS];
};

INLINE void
clear(struct vnni_sums *s)
{
	for (int i = 0; i < WEIGHT_PARTS; i++)
		s->d[i] = _mm512_setzero_si512();
}

/* Adds the products of 64 values and the n lowest parts of a quad to s, four
 * products to a sum. */
INLINE void
add(struct vnni_sums *s, __m512i values, const int8_t split[QUAD_BYTES], int n)
{
	int32_t four;

	for (int i = 0; i < n; i++) {
		memcpy(&four, split + PASS_QUAD * i, sizeof(four));
		s->d[i] = _mm512_dpbusd_epi32(s->d[i], values,
		    _mm512_set1_epi32(four));
	}
}

INLINE __m512i
join(const struct vnni_sums *s, __m512i bias)
{
	__m512i sum = _mm512_add_epi32(s->d[0], _mm512_slli_epi32(s->d[1], 8));

	return _mm512_add_epi32(_mm512_add_epi32(sum,
	    _mm512_slli_epi32(s->d[2], 16)), bias);
}

/* Loads four pixels of each of four rows, sorted by channel. */
INLINE __m512i
load_pixels(const uint8_t *const row[PASS_ROWS], size_t at)
{
	/* The arguments begin with the lowest byte in memory. */
	const __m512i turn = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12,
	    1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
	__m512i v = _mm512_castsi128_si512(_mm_loadu_si128(
	    (const void *)(row[0] + at)));

	v = _mm512_inserti32x4(v, _mm_loadu_si128(
	    (const void *)(row[1] + at)), 1);
	v = _mm512_inserti32x4(v, _mm_loadu_si128(
	    (const void *)(row[2] + at)), 2);
	v = _mm512_inserti32x4(v, _mm_loadu_si128(
	    (const void *)(row[3] + at)), 3);
	return _mm512_shuffle_epi8(v, turn);
}

/* Computes the sums of sample i in all four rows.  Moves *split to the next
 * weights. */
INLINE __m512i
sample_sums(const struct windows *w, size_t i,
    const uint8_t *const row[PASS_ROWS], const int8_t **split)
{
	size_t at = (size_t)w->first[i] * 4;
	struct vnni_sums s;

	clear(&s);
	for (uint32_t j = 0; j < w->count[i]; j += PASS_QUAD) {
		add(&s, load_pixels(row, at), *split, WEIGHT_PARTS);
		*split += QUAD_BYTES;
		at += 4 * PASS_QUAD;
	}
	return join(&s, _mm512_set1_epi32(w->bias[i]));
}

/* Stores two neighbouring samples: 8 bytes in each row. */
INLINE void
store(__m512i a, __m512i b, size_t bytes, uint8_t *const out[PASS_ROWS],
    size_t at)
{
	__m512i v = _mm512_packs_epi32(_mm512_srai_epi32(a, TAPS_BITS),
	    _mm512_srai_epi32(b, TAPS_BITS));
	uint64_t pixels[8];

	_mm512_storeu_si512(pixels, _mm512_packus_epi16(v, v));
	for (int i = 0; i < PASS_ROWS; i++)
		memcpy(out[i] + at, &pixels[2 * i], bytes);
}

VNNI static void
along(const struct windows *w, const uint8_t *const rows[PASS_ROWS],
    uint8_t *const outs[PASS_ROWS])
{
	const uint8_t *const row[] = { rows[0], rows[1], rows[2], rows[3] };
	uint8_t *const out[] = { outs[0], outs[1], outs[2], outs[3] };
	const struct windows all = *w;
	const int8_t *split = w->split;
	__m512i a, b;
	size_t i;

	for (i = 0; i + 1 < all.n; i += 2) {
		a = sample_sums(&all, i, row, &split);
		b = sample_sums(&all, i + 1, row, &split);
		store(a, b, 8, out, 4 * i);
	}
	if (i < all.n) {
		a = sample_sums(&all, i, row, &split);
		store(a, a, 4, out, 4 * i);
	}
}

/* Stores the four quarters of sums, each in its row. */
INLINE void
store_quarters(__m512i sums, int32_t *const out[4], size_t at)
{
	_mm_storeu_si128((void *)(out[0] + at),
	    _mm512_castsi512_si128(sums));
	_mm_storeu_si128((void *)(out[1] + at),
	    _mm512_extracti32x4_epi32(sums, 1));
	_mm_storeu_si128((void *)(out[2] + at),
	    _mm512_extracti32x4_epi32(sums, 2));
	_mm_storeu_si128((void *)(out[3] + at),
	    _mm512_extracti32x4_epi32(sums, 3));
}

VNNI static void
along_sums(const struct windows *w, const uint8_t *const row[PASS_ROWS],
    int32_t *const out[PASS_ROWS])
{
	const int8_t *split = w->split;

	for (size_t i = 0; i < w->n; i++)
		store_quarters(sample_sums(w, i, row, &split), out, 4 * i);
}

/* ---- Across ------------------------------------------------------------ */

/* Loads up to 64 bytes and sets the others to 0, as a row may end anywhere. */
INLINE __m512i
load(const uint8_t *p, __mmask64 which)
{
	return _mm512_maskz_loadu_epi8(which, p);
}

/* Interleaves the bytes of four rows: each four bytes hold one byte of each
 * row.  The 16-byte parts of a vector hold the bytes 0 to 3, 4 to 7, ... */
INLINE void
interleave(const uint8_t *const row[PASS_QUAD], size_t at, __mmask64 which,
    __m512i v[4])
{
	__m512i r[PASS_QUAD], even[2], odd[2];

	for (int i = 0; i < PASS_QUAD; i++)
		r[i] = load(row[i] + at, which);
	even[0] = _mm512_unpacklo_epi8(r[0], r[2]);
	even[1] = _mm512_unpackhi_epi8(r[0], r[2]);
	odd[0] = _mm512_unpacklo_epi8(r[1], r[3]);
	odd[1] = _mm512_unpackhi_epi8(r[1], r[3]);
	for (int i = 0; i < 2; i++) {
		v[2 * i] = _mm512_unpacklo_epi8(even[i], odd[i]);
		v[2 * i + 1] = _mm512_unpackhi_epi8(even[i], odd[i]);
	}
}

/* Sums up 64 bytes over all quads, with the lowest parts of the weights. */
INLINE void
sum_up(const struct split_weights *q, const uint8_t *const *row, size_t n,
    size_t at, __mmask64 which, int parts, struct vnni_sums s[4])
{
	const uint8_t *last[PASS_QUAD], *const *four;
	__m512i v[4];

	for (int k = 0; k < 4; k++)
		clear(&s[k]);
	for (size_t i = 0; i < q->n; i++) {
		four = row + PASS_QUAD * i;
		if (PASS_QUAD * (i + 1) > n) {
			for (size_t k = 0; k < PASS_QUAD; k++)
				last[k] = PASS_QUAD * i + k < n ? four[k] :
				    four[0];
			four = last;
		}
		interleave(four, at, which, v);
		for (int k = 0; k < 4; k++)
			add(&s[k], v[k], q->quad[i], parts);
	}
}

INLINE __m512i
to_bytes(const __m512i sum[4])
{
	__m512i v[4];

	for (int i = 0; i < 4; i++)
		v[i] = _mm512_srai_epi32(sum[i], TAPS_BITS);
	return _mm512_packus_epi16(_mm512_packs_epi32(v[0], v[1]),
	    _mm512_packs_epi32(v[2], v[3]));
}

/* Stores 64 sums in order, or fewer if room is smaller. */
INLINE void
store_sums(const __m512i sum[4], size_t room, int32_t *to)
{
	int32_t all[64], *p = room < 64 ? all : to;
	int32_t *const quarter[4] = { p, p + 16, p + 32, p + 48 };

	for (size_t i = 0; i < 4; i++)
		store_quarters(sum[i], quarter, 4 * i);
	if (room < 64)
		memcpy(to, all, room * sizeof(*to));
}

VNNI static void
across(const uint8_t *const *row, const int32_t *k, size_t n, size_t bytes,
    const int32_t *from, int32_t *to, uint8_t *out)
{
	struct split_weights q;
	struct vnni_sums s[4];
	__m512i sum[4], bias;
	__mmask64 which;

	/* Continued sums are rare, and n is not limited. */
	if (n > SPLIT_ROWS || from != NULL) {
		pass_plain.across(row, k, n, bytes, from, to, out);
		return;
	}
	split_weights_of_rows(k, n, 0, &q);
	bias = _mm512_set1_epi32(to == NULL ? PASS_HALF : 0);
	for (size_t at = 0; at < bytes; at += 64) {
		which = bytes - at < 64 ? ((__mmask64)1 << (bytes - at)) - 1 :
		    ~(__mmask64)0;
		sum_up(&q, row, n, at, which, WEIGHT_PARTS, s);
		for (int i = 0; i < 4; i++)
			sum[i] = join(&s[i], bias);
		if (to != NULL)
			store_sums(sum, bytes - at, to + at);
		else
			_mm512_mask_storeu_epi8(out + at, which,
			    to_bytes(sum));
	}
}

VNNI static void
across_s16(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t bytes, int16_t *to)
{
	/* These select, in order, two times eight values of each sixteen. */
	const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
	const __m512i last = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
	const __m512i half = _mm512_set1_epi32(PASS_S16_HALF);
	struct split_weights q;
	struct vnni_sums s[4];
	__m512i v[4], a, b;

	if (n > SPLIT_ROWS) {
		pass_plain.across_s16(row, k, n, bytes, to);
		return;
	}
	split_weights_of_rows(k, n, 0, &q);
	for (size_t at = 0; at < bytes; at += 64) {
		sum_up(&q, row, n, at, ~(__mmask64)0, S16_PARTS, s);
		for (int i = 0; i < 4; i++)
			v[i] = _mm512_srai_epi32(join(&s[i], half),
			    PASS_S16_SHIFT);
		a = _mm512_packs_epi32(v[0], v[1]);
		b = _mm512_packs_epi32(v[2], v[3]);
		_mm512_storeu_si512(to + at, _mm512_permutex2var_epi64(a,
		    first, b));
		_mm512_storeu_si512(to + at + 32, _mm512_permutex2var_epi64(a,
		    last, b));
	}
}

const struct pass_kernel pass_vnni = { prepare, along, along_sums, across,
    across_s16 };
#else
typedef int no_vnni;	/* ISO C needs a declaration */
#endif
