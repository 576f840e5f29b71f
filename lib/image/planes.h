/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resizes a picture while its planes arrive.  Y, Cb and Cr are resized by the
 * same filter, as if Cb and Cr had first been enlarged to the size of Y, and
 * then converted to RGB.  The result is closer to a resize of the decoded
 * picture than a resize after decoding at half size, and it is as fast.  Pixels
 * do not have Pillow's bytes.
 *
 *	planes_open(&p, &spec, row, arg, &err);
 *	while (there are bands) {
 *		to = planes_room(p, &stride);
 *		write a band at to;
 *		planes_add_band(p);
 *	}
 *	planes_close(p);
 */
#ifndef IMAGE_PLANES_H
#define IMAGE_PLANES_H

#include "image/resample.h"

struct planes;

/* Returns whether the bands that a filter needs are few enough to be kept, and
 * the filter has no weights below 0.  Unlike resample.h, planes.h has no
 * fallback for other filters. */
bool planes_fit(const struct resample_spec *spec);

/*
 * Same as resample_open(), but ignores floats.  Neither side of the picture may
 * become larger, and planes_fit() must be true.
 */
int planes_open(struct planes **p, const struct resample_spec *spec,
    void (*row)(void *arg, uint32_t y, const uint8_t *pixels), void *arg,
    struct npu_err *err);
/* Returns where to write the next band of picture_band(). */
uint8_t *planes_room(struct planes *p, size_t *stride);
/* Call after you have written the band. */
void planes_add_band(struct planes *p);
void planes_close(struct planes *p);	/* NULL is allowed */

#endif
