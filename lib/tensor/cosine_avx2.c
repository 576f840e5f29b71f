// SPDX-License-Identifier: Apache-2.0
/* cosine.h for AVX2: the same loops, with four numbers in a register. */
#include "tensor/cosine_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define COSINE_TARGET __attribute__((target("avx2,fma")))
#define COSINE_WIDTH 4
#define COSINE_WIDENED(x) _mm256_cvtps_pd(_mm_loadu_ps(x))
#include "tensor/cosine_body.h"

void COSINE_TARGET
cosine_dots_avx2(const float *x, size_t n, const double *q, size_t queries,
    double *dot, double *square)
{
	dots(x, n, q, queries, dot, square);
}
#endif
