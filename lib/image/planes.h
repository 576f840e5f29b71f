/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A picture resized while its planes arrive: Y, Cb and Cr each by the same
 * filter, as if Cb and Cr had first been enlarged to the size of Y, then
 * converted to RGB.  This is closer to resizing the decoded picture than
 * resizing one that was decoded at half its size, and as fast; pixels are not
 * Pillow's to the byte.
 *
 *	planes_open(&p, &spec, row, arg, &err);
 *	while (there are bands) {
 *		to = planes_room(p, &stride);
 *		planes_add_band(p);			of the band at to
 *	}
 *	planes_close(p);
 */
#ifndef IMAGE_PLANES_H
#define IMAGE_PLANES_H

#include "image/resample.h"

struct planes;

/* Whether the bands that a filter needs are few enough to be kept, and the
 * filter has no weights below 0.  Unlike resample.h, this has no fallback. */
bool planes_fit(const struct resample_spec *spec);

/*
 * As resample_open(); floats is ignored.  The picture must become no larger on
 * either side, and planes_fit() hold.
 */
int planes_open(struct planes **p, const struct resample_spec *spec,
    void (*row)(void *arg, uint32_t y, const uint8_t *pixels), void *arg,
    struct npu_err *err);
/* Where the next band of picture_band() belongs. */
uint8_t *planes_room(struct planes *p, size_t *stride);
/* The band is there. */
void planes_add_band(struct planes *p);
void planes_close(struct planes *p);	/* NULL is allowed */

#endif
