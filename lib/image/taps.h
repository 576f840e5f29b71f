/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The window of input samples that one sample of a resized line is made of, and
 * an integer weight for each.  Weights, windows and rounding are those of
 * Pillow 9.4 (src/libImaging/Resample.c), to the last bit.
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

/* A weight of 1 is 1 << TAPS_BITS: 32 bits less 8 of the pixel, less 2 since
 * weights below 0 let sums go beyond 255. */
enum { TAPS_BITS = 32 - 8 - 2 };

/* The same where values are s16, signed 16 bits: the bits of a weight of 1 and
 * of a value of 1; values go up to 255.  No weight is below 0 there. */
enum { S16_WEIGHT_BITS = 14, S16_BITS = 7 };

/* One axis of a resize. */
struct axis {
	enum filter filter;
	uint32_t from;		/* samples before, > 0 */
	uint64_t to;		/* samples after, > 0 */
	bool mirrored;		/* those before are stored last one first */
};

struct taps {
	uint32_t first, n;	/* the window, as stored */
	int32_t *k;		/* n weights; room for axis_most() */
};

/* Most weights that a sample can have. */
size_t axis_most(const struct axis *a);

/* The taps of sample at < a->to; t->k is the caller's.  Neither end of a window
 * moves back from one sample to the next. */
void axis_taps(const struct axis *a, uint64_t at, struct taps *t);

/* Leaves out weights of 0 at both ends; n can become 0.  The windows of
 * neighbouring samples are no longer in order. */
void taps_trim(struct taps *t);

/* Scales weights for s16.  Each is rounded together with those before it, so
 * that their sum stays exact. */
void taps_to_s16(struct taps *t);

/*
 * The taps of the same sample in a line of n values from which the line of t is
 * made as libjpeg does it ("fancy" upsampling): each value of the latter is 3/4
 * of the nearest value of the former and 1/4 of the next on its other side, or,
 * at an end, all of the nearest.  to->k is the caller's, with room for t->n / 2
 * + 2; t->n > 0.  These windows do not move back either (axis_taps()).
 */
void taps_halve(const struct taps *t, uint32_t n, struct taps *to);

#endif
