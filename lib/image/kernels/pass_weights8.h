/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weights for CPUs that multiply bytes and add four products at a time (dot
 * products: VNNI, FEAT_DotProd).  A weight of 24 bits is split into three parts
 * from -128 to 127, k = p0 + 256 p1 + 65536 p2, and so a sum is that of three
 * sums.
 */
#ifndef IMAGE_KERNELS_PASS_WEIGHTS8_H
#define IMAGE_KERNELS_PASS_WEIGHTS8_H

#include "image/kernels/pass_kernels.h"

enum {
	WEIGHT_PARTS = 3,
	S16_PARTS = 2,		/* of weights for s16; the third is 0 */
	QUAD_BYTES = WEIGHT_PARTS * PASS_QUAD,
	SPLIT_ROWS = 256,	/* most that a struct split_weights holds */
};

/*
 * Weights in n quads of four, the last one filled up with zeros: the lowest
 * parts of four, then the next, then the highest.  bias is what the sums lack
 * when less was taken away from each pixel.
 */
struct split_weights {
	size_t n;
	int8_t quad[SPLIT_ROWS / PASS_QUAD][QUAD_BYTES];
	int32_t bias;
};

/* The n weights at k, n <= SPLIT_ROWS, to *q. */
void split_weights_of_rows(const int32_t *k, size_t n, int32_t less,
    struct split_weights *q);

/* The same for windows: w->split, and a bias each, which also rounds.  0, or -1
 * without memory. */
int split_weights_of_windows(struct windows *w, int32_t less);

#endif
