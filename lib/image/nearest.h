/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resizes a picture by taking the nearest pixel while its rows arrive.  Bytes
 * are the same as in Pillow 9.4, which always uses this filter for palettes and
 * for one bit a pixel.
 *
 *	nearest_open(&r, &spec, row, arg, &err);
 *	while (there are rows) {
 *		to = nearest_room(r);
 *		write a row at to;
 *		nearest_add_row(r);
 *	}
 *	nearest_close(r);
 */
#ifndef IMAGE_NEAREST_H
#define IMAGE_NEAREST_H

#include "image/resample.h"

struct nearest;

/* Same as resample_open(), but ignores filter, orientation and floats, and
 * calls row from the top row on. */
int nearest_open(struct nearest **r, const struct resample_spec *spec,
    void (*row)(void *arg, uint32_t y, const uint8_t *pixels), void *arg,
    struct npu_err *err);
/* Returns where to write the next row. */
uint8_t *nearest_room(struct nearest *r);
/* Call after you have written the row. */
void nearest_add_row(struct nearest *r);
void nearest_close(struct nearest *r);	/* NULL is allowed */

#endif
