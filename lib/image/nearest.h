/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A picture resized while its rows arrive by taking the nearest pixel, byte for
 * byte as Pillow 9.4 does it, and always with palettes and one bit a pixel.
 *
 *	nearest_open(&r, &spec, row, arg, &err);
 *	while (there are rows) {
 *		to = nearest_room(r);
 *		nearest_add_row(r);		that is at to
 *	}
 *	nearest_close(r);
 */
#ifndef IMAGE_NEAREST_H
#define IMAGE_NEAREST_H

#include "image/resample.h"

struct nearest;

/* As resample_open(), but filter, orientation and floats do not count; row is
 * called from the top one on. */
int nearest_open(struct nearest **r, const struct resample_spec *spec,
    void (*row)(void *arg, uint32_t y, const uint8_t *pixels), void *arg,
    struct npu_err *err);
/* Where the next row belongs. */
uint8_t *nearest_room(struct nearest *r);
/* It is there. */
void nearest_add_row(struct nearest *r);
void nearest_close(struct nearest *r);	/* NULL is allowed */

#endif
