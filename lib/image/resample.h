/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resizes a picture while its rows arrive, byte for byte as Pillow 9.4: along
 * the rows of the upright picture first, then across, with 8 bits between the
 * passes.  Pixels have 4 bytes; the last has no meaning.
 *
 *	resample_open(&r, &spec, row, arg, &err);
 *	while (there are rows) {
 *		to = resample_room(r, &most);
 *		write n rows at to, n <= most;
 *		resample_add_rows(r, n);
 *	}
 *	resample_close(r);
 *
 * Only the rows that a filter needs are kept, and only the wanted part of the
 * result is computed.  Memory is a few times the size of a row; for a picture
 * that is stored sideways, the size of the part is added.
 */
#ifndef IMAGE_RESAMPLE_H
#define IMAGE_RESAMPLE_H

#include "image/taps.h"
#include "npu.h"

struct resample_spec {
	enum filter filter;
	uint32_t width, height;		/* pixels, of the stored rows */
	uint8_t orientation;		/* 1 to 8, as in picture.h */
	uint64_t to_width, to_height;	/* the resized upright picture's size */
	uint64_t left, top;		/* the wanted part in it: */
	uint32_t columns, rows;		/* not empty, within the picture */
	bool floats;			/* between the passes: closer to the
					 * filter, but not Pillow's bytes */
};

struct resample;

/*
 * Opens a resize.  row is called for each row of the part, numbered from 0, in
 * any order.  pixels are valid until row returns.
 */
int resample_open(struct resample **r, const struct resample_spec *spec,
    void (*row)(void *arg, uint32_t y, const uint8_t *pixels), void *arg,
    struct npu_err *err);
/* Returns where to write the next rows, at most *most > 0 rows. */
uint8_t *resample_room(struct resample *r, unsigned *most);
/* Call after you have written n rows. */
void resample_add_rows(struct resample *r, unsigned n);
void resample_close(struct resample *r);	/* NULL is allowed */

#endif
