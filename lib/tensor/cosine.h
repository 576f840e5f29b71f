/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of products of f32 vectors, at the speed of memory.  A product of two
 * floats is exact in binary64, so only the order of additions matters.  The
 * order is the same for every CPU and number of queries: number i is added to
 * sum i % 16; then sums 8 apart are added, then 4 apart, then 2, then the last
 * two.
 */
#ifndef TENSOR_COSINE_H
#define TENSOR_COSINE_H

#include <stddef.h>

enum { COSINE_LANES = 16 };

/* Returns the length of a query: its n numbers, and zeros up to a multiple of
 * COSINE_LANES. */
static inline size_t
cosine_padded(size_t n)
{
	return (n + COSINE_LANES - 1) / COSINE_LANES * COSINE_LANES;
}

/* Writes the n numbers at x as a query to q[0..cosine_padded(n)).  Returns the
 * sum of their squares. */
double cosine_query(const float *x, size_t n, double *q);

/*
 * Sets dot[k] to the sum of the products of x[0..n) and query k, which is row k
 * of the matrix at q, and *square to the sum of the squares of x.  If x has
 * infinities or NaN, *square is not finite.
 */
void cosine_dots(const float *x, size_t n, const double *q, size_t queries,
    double *dot, double *square);

/* Returns the cosine, -1 to 1, of two vectors.  Their sums of squares must be
 * finite and not 0. */
double cosine(double dot, double square_a, double square_b);

#endif
