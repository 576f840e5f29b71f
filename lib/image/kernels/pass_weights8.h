/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weights for CPUs that multiply bytes and add four products at a time (dot
 * products: VNNI, FEAT_DotProd).  A weight of 24 bits is split into three parts
 * from -128 to 127, k = p0 + 256 p1 + 65536 p2.  A weighted sum is therefore
 * computed as three sums.
 */
#ifndef IMAGE_KERNELS_PASS_WEIGHTS8_H
#define IMAGE_KERNELS_PASS_WEIGHTS8_H

#include "image/kernels/pass_kernels.h"

enum {
	WEIGHT_PARTS = 3,
	S16_PARTS = 2,		/* parts of s16 weights; the third is 0 */
	QUAD_BYTES = WEIGHT_PARTS * PASS_QUAD,
	SPLIT_ROWS = 256,	/* maximum in a struct split_weights */
};

/*
 * Weights in n quads of four; the last quad is padded with zeros.  A quad has
 * the lowest parts of its four weights, then the middle parts, then the
 * highest.  bias makes up for less, which was subtracted from each pixel: add
 * it to the sums.
 */
struct split_weights {
	size_t n;
	int8_t quad[SPLIT_ROWS / PASS_QUAD][QUAD_BYTES];
	int32_t bias;
};

/* Splits the n weights at k, n <= SPLIT_ROWS, into *q. */
void split_weights_of_rows(const int32_t *k, size_t n, int32_t less,
    struct split_weights *q);

/* Does the same for windows: sets w->split, and a bias for each window, which
 * includes the half for rounding.  Returns 0, or -1 if out of memory. */
int split_weights_of_windows(struct windows *w, int32_t less);

#endif
