/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weights for CPUs that multiply bytes and add four products at a time (dot
 * products: VNNI, FEAT_DotProd).  A weight of 24 bits is three digits from -128
 * to 127, k = d0 + 256 d1 + 65536 d2, and so a sum is that of three sums.
 */
#ifndef IMAGE_KERNELS_PASS_WEIGHTS8_H
#define IMAGE_KERNELS_PASS_WEIGHTS8_H

#include "image/kernels/pass_kernels.h"

enum {
	DIGITS = 3,
	S16_DIGITS = 2,		/* of weights for s16; the third is 0 */
	QUAD_BYTES = DIGITS * PASS_QUAD,
	DIGITS_ROWS = 256,	/* most that a struct quads holds */
};

/*
 * Of n weights, four by four, the last filled up with zeros: the lowest digits
 * of four, then the next, then the highest.  bias has what the sums lack when
 * less was taken away from each pixel.
 */
struct quads {
	size_t n;
	int8_t digits[DIGITS_ROWS / PASS_QUAD][QUAD_BYTES];
	int32_t bias;
};

/* n is at most DIGITS_ROWS. */
void digits_of_rows(const int32_t *k, size_t n, int32_t less,
    struct quads *q);

/* The same of windows: their digits, and a bias each, which rounds, too. */
int digits_of_windows(struct windows *w, int32_t less);

#endif
