/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of cosine_dots(), which calls the fastest one for the CPU. */
#ifndef TENSOR_COSINE_KERNELS_H
#define TENSOR_COSINE_KERNELS_H

#include <stddef.h>

void cosine_dots_plain(const float *x, size_t n, const double *q,
    size_t queries, double *dot, double *square);
void cosine_dots_avx2(const float *x, size_t n, const double *q,
    size_t queries, double *dot, double *square);	/* x86-64 only */

#endif
