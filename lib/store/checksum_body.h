/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checksum of vec-index(5) for a function of CHECKSUM_TARGET and registers
 * of CHECKSUM_WIDTH words, 4 or 8.
 */
#include "store/layout.h"

#define WIDTH CHECKSUM_WIDTH
#define BODY CHECKSUM_TARGET static inline __attribute__((always_inline))
#define WORDS uint32_t __attribute__((vector_size(4 * WIDTH)))

enum { COLUMNS = LAYOUT_ALIGN / 4, PARTS = COLUMNS / WIDTH };

/* 2^64 divided by the golden ratio, odd, and its powers, which wrap. */
#define P UINT64_C(0x9e3779b97f4a7c15)
#define P2 (P * P)
#define P4 (P2 * P2)
#define P8 (P4 * P4)
#define P16 (P8 * P8)
#define FOUR(p) (p) * (P4 * P2), (p) * P4, (p) * P2, (p)

/* Returns a polynomial in P: n, then two coefficients of each column, highest
 * first.  Its terms are independent, so no term waits for another. */
BODY uint64_t
polynomial(size_t n, const WORDS sum[PARTS], const WORDS sums[PARTS])
{
	static const uint64_t power[COLUMNS] = { FOUR(P16 * P8), FOUR(P16),
	    FOUR(P8), FOUR(1) };
	uint32_t a[COLUMNS], b[COLUMNS];
	uint64_t odd = 0, even = 0;

	memcpy(a, sum, sizeof(a));
	memcpy(b, sums, sizeof(b));
	for (int k = 0; k < COLUMNS; k++) {
		odd += a[k] * power[k];
		even += b[k] * power[k];
	}
	return n * (P16 * P16) + odd * P + even;
}

/* Computes for each of 16 columns of 32-bit words the sum, and the sum of the
 * sums.  Both changed words and moved words are thus detected. */
CHECKSUM_TARGET static uint64_t
checksum(const void *p, size_t n)
{
	WORDS sum[PARTS] = { 0 }, sums[PARTS] = { 0 }, w;

	for (size_t i = 0; i < n; i += LAYOUT_ALIGN) {
		for (int k = 0; k < PARTS; k++) {
			memcpy(&w, (const char *)p + i + sizeof(w) * k,
			    sizeof(w));
			sum[k] += w;
			sums[k] += sum[k];
		}
	}
	return polynomial(n, sum, sums);
}
