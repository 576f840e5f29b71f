/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The window of input samples from which one sample of a resized line is
 * computed, and an integer weight for each.  Weights, windows and rounding are
 * identical to the last bit with Pillow 9.4 (src/libImaging/Resample.c).
 */
#ifndef IMAGE_TAPS_H
#define IMAGE_TAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum filter {
	FILTER_BOX,
	FILTER_BILINEAR,
	FILTER_BICUBIC,		/* a = -0.5 */
};

/* A weight of 1 is 1 << TAPS_BITS: 32 bits, less 8 of the pixel, less 2 because
 * weights below 0 allow sums above 255. */
enum { TAPS_BITS = 32 - 8 - 2 };

/* The same for values of type s16, signed 16 bits: the bits of a weight of 1
 * and of a value of 1.  Values go up to 255, and no weight is negative. */
enum { S16_WEIGHT_BITS = 14, S16_BITS = 7 };

/* One axis of a resize. */
struct axis {
	enum filter filter;
	uint32_t from;		/* input samples, > 0 */
	uint64_t to;		/* output samples, > 0 */
	bool mirrored;		/* input is stored in reverse order */
};

struct taps {
	uint32_t first, n;	/* the window, in stored order */
	int32_t *k;		/* n weights; room for axis_most() */
};

/* Returns the maximum number of weights of a sample. */
size_t axis_most(const struct axis *a);

/* Computes the taps of sample at < a->to.  The caller provides t->k.  From one
 * sample to the next, neither end of the window moves back. */
void axis_taps(const struct axis *a, uint64_t at, struct taps *t);

/* Removes weights of 0 at both ends; n can become 0.  After this, windows of
 * neighbouring samples may not be in order. */
void taps_trim(struct taps *t);

/* Scales weights for s16.  Cumulative sums are rounded, not single weights,
 * which keeps the total exact. */
void taps_to_s16(struct taps *t);

/*
 * Converts taps on an upsampled line to taps on the line before upsampling,
 * which has n values.  libjpeg's "fancy" upsampling computes each value as 3/4
 * of the nearest input value and 1/4 of the next on the other side, or, at an
 * end, as the nearest value.  The caller provides to->k with room for t->n / 2
 * + 2; t->n > 0.  These windows do not move back either (axis_taps()).
 */
void taps_halve(const struct taps *t, uint32_t n, struct taps *to);

#endif
