/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts pixels to the elements of a tensor.  A table for each channel has
 * the element for each of its 256 values.  Most tables are a straight line,
 * which registers compute faster than they look up; it is used only after it
 * was tried on all values.
 */
#ifndef VISION_CONVERT_H
#define VISION_CONVERT_H

#include "npu.h"

enum { CONVERT_MOST = 4 };	/* bytes of an element */

struct convert {
	uint32_t dtype;
	size_t size;		/* bytes of an element: 1, 2 or 4 */
	uint8_t channel[3];	/* of the pixel: 0 is red; in the tensor's
				   order */
	size_t plane;		/* bytes from one channel to the next */
	size_t step;		/* bytes from one pixel to the next */
	float x[3][256];	/* real number of each value, and ... */
	/* ... stored element; both in the tensor's order. */
	uint8_t table[3][256 * CONVERT_MOST];
	uint8_t byte[3][CONVERT_MOST][256];	/* the same, byte by byte */

	/* The stored element is a * value + b, rounded: proved unless kernel is
	 * NULL. */
	const struct convert_kernel *kernel;
	bool copies;		/* and it is the value itself, a byte */
	float a[3], b[3];
};

/* Fills in the rest, given t, channel, plane, step and x. */
int convert_open(struct convert *c, const struct npu_tensor *t,
    struct npu_err *err);

/* Converts n pixels of 4 bytes; out is where the first channel of the first one
 * goes. */
void convert_pixels(const struct convert *c, const uint8_t *pixels, size_t n,
    uint8_t *out);

/* Converts n times the same pixel. */
void convert_fill(const struct convert *c, const uint8_t pixel[3], size_t n,
    uint8_t *out);

#endif
