// SPDX-License-Identifier: Apache-2.0
/* checksum.c - of header and records, at the speed of memory. */
#include "store/layout.h"

/* Four columns, as CPUs have registers for. */
#define WORDS uint32_t __attribute__((vector_size(16)))
enum { PARTS = LAYOUT_ALIGN / 16 };

/* 2^64 over the golden ratio, odd, and its powers, which wrap. */
#define P UINT64_C(0x9e3779b97f4a7c15)
#define P2 (P * P)
#define P4 (P2 * P2)
#define P8 (P4 * P4)

/*
 * A polynomial in P: n, then two coefficients of each column, highest first.
 * Every fourth column is a chain of its own, for the CPU to go on with all
 * four at once.
 */
static uint64_t
polynomial(size_t n, const WORDS sum[PARTS], const WORDS sums[PARTS])
{
	uint64_t h[4] = { n, 0, 0, 0 };

	for (int k = 0; k < PARTS; k++)
		for (int c = 0; c < 4; c++)
			h[c] = h[c] * (c == 0 && k == 0 ? P2 : P8) +
			    sum[k][c] * P + sums[k][c];
	return h[0] * (P4 * P2) + h[1] * P4 + h[2] * P2 + h[3];
}

/* Of each of 16 columns of 32-bit words the sum and the sum of the sums, so
 * that what is changed and what is moved shows. */
uint64_t
layout_checksum(const void *p, size_t n)
{
	WORDS sum[PARTS] = { 0 }, sums[PARTS] = { 0 }, w;

	for (size_t i = 0; i < n; i += LAYOUT_ALIGN) {
		for (int k = 0; k < PARTS; k++) {
			memcpy(&w, (const char *)p + i + 16 * k, sizeof(w));
			sum[k] += w;
			sums[k] += sum[k];
		}
	}
	return polynomial(n, sum, sums);
}
