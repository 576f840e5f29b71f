/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second pass of a resize over planes of Y, Cb and Cr, from s16 (taps.h) to
 * floats, and the conversion of these floats to RGB.
 */
#ifndef IMAGE_YCC_H
#define IMAGE_YCC_H

#include <stddef.h>
#include <stdint.h>

enum {
	YCC_SAMPLES = 4,	/* samples at a time */
	YCC_GROUP = 8,		/* weights at a time */
};

/*
 * The windows of n samples in a row of s16.  Each window has groups * YCC_GROUP
 * weights (taps_to_s16()), padded with zeros, and n is a multiple of
 * YCC_SAMPLES.  Because of the padding, values are read beyond the last window.
 */
struct ycc_windows {
	size_t n, groups;
	uint32_t *first;
	int16_t *k;
};

/* Computes w->n values to out. */
void ycc_along(const struct ycc_windows *w, const int16_t *v, float *out);

/* Writes n pixels with 4 bytes each: red, green, blue and 0. */
void ycc_write(const float *y, const float *cb, const float *cr, size_t n,
    uint32_t *to);

#endif
