/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of products of f32 vectors, as fast as memory gives them.  A product of
 * two floats is exact in binary64, so only the order of adding matters, and it
 * is the same for every CPU and number of queries: number i goes to sum i % 16;
 * sums 8 apart are added, then 4 apart, then 2, then the last two.
 */
#ifndef TENSOR_COSINE_H
#define TENSOR_COSINE_H

#include <stddef.h>

enum { COSINE_LANES = 16 };

/* A query: its n numbers, and 0 up to a multiple of COSINE_LANES. */
static inline size_t
cosine_padded(size_t n)
{
	return (n + COSINE_LANES - 1) / COSINE_LANES * COSINE_LANES;
}

/* The n numbers at x as a query, to q[0..cosine_padded(n)); returns the sum
 * of their squares. */
double cosine_query(const float *x, size_t n, double *q);

/*
 * dot[k] is the sum of the products of x[0..n) and query k, the k-th row of
 * the matrix at q; *square that of the squares of x.  Infinite or NaN in x
 * shows in *square.
 */
void cosine_dots(const float *x, size_t n, const double *q, size_t queries,
    double *dot, double *square);

/* The cosine, -1 to 1, of vectors whose squares' sums are finite and not 0. */
double cosine(double dot, double square_a, double square_b);

#endif
