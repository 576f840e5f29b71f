/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts pixels to the elements of a tensor.  For each channel, a table has
 * the element for each of the 256 values.  Most tables are a straight line,
 * which registers compute faster than they look up values.  The line is used
 * only after it was tried on all values.
 */
#ifndef VISION_CONVERT_H
#define VISION_CONVERT_H

#include "npu.h"

enum { CONVERT_MOST = 4 };	/* bytes of an element */

struct convert {
	uint32_t dtype;
	size_t size;		/* bytes in an element: 1, 2 or 4 */
	uint8_t channel[3];	/* channels of a pixel (0 is red), in the
				 * tensor's order */
	size_t plane;		/* bytes from one channel to the next */
	size_t step;		/* bytes from one pixel to the next */
	float x[3][256];	/* real number of each value, and ... */
	/* ... stored element; both in the tensor's order. */
	uint8_t table[3][256 * CONVERT_MOST];
	uint8_t byte[3][CONVERT_MOST][256];	/* table, byte by byte */

	/* The stored element is a * value + b, rounded.  This was proved for
	 * all values unless kernel is NULL. */
	const struct convert_kernel *kernel;
	bool copies;		/* the element is the value, a byte */
	float a[3], b[3];
};

/* Fills in the other members.  t, channel, plane, step and x must be set. */
int convert_open(struct convert *c, const struct npu_tensor *t,
    struct npu_err *err);

/* Converts n pixels of 4 bytes.  out is the address for the first channel of
 * the first pixel. */
void convert_pixels(const struct convert *c, const uint8_t *pixels, size_t n,
    uint8_t *out);

/* Converts the same pixel n times. */
void convert_fill(const struct convert *c, const uint8_t pixel[3], size_t n,
    uint8_t *out);

#endif
