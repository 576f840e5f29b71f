// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/cpu.h"

#define COSINE_TARGET
#define COSINE_WIDTH 2
#include "tensor/cosine_body.h"
#include "tensor/cosine_kernels.h"

double
cosine_query(const float *x, size_t n, double *q)
{
	double dot, square;

	memset(q, 0, cosine_padded(n) * sizeof(*q));
	dots(x, n, q, 1, &dot, &square);
	for (size_t i = 0; i < n; i++)
		q[i] = (double)x[i];
	return square;
}

/* Returns the cosine.  The root of a square is exact, so the cosine of x and x
 * is exactly 1. */
double
cosine(double dot, double square_a, double square_b)
{
	double c = dot / sqrt(square_a * square_b);

	/* + 0 avoids -0. */
	return c > 1 ? 1 : c < -1 ? -1 : c + 0.0;
}

void
cosine_dots_plain(const float *x, size_t n, const double *q, size_t queries,
    double *dot, double *square)
{
	dots(x, n, q, queries, dot, square);
}

void
cosine_dots(const float *x, size_t n, const double *q, size_t queries,
    double *dot, double *square)
{
#if defined(__x86_64__)
	if (cpu_has_avx2() && cpu_has_fma()) {
		cosine_dots_avx2(x, n, q, queries, dot, square);
		return;
	}
#endif
	cosine_dots_plain(x, n, q, queries, dot, square);
}
