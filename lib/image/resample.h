/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A picture resized while its rows arrive, byte for byte as Pillow 9.4 does it:
 * along the rows of the upright picture first, then across, with 8 bits
 * between.  Pixels have 4 bytes; the last has no meaning.
 *
 *	resample_open(&r, &spec, row, arg, &err);
 *	while (there are rows) {
 *		to = resample_room(r, &most);
 *		resample_add_rows(r, n);		of them at to
 *	}
 *	resample_close(r);
 *
 * Only the rows that a filter needs are kept, and only the wanted part of the
 * result is computed.  Memory is a few times that of a row, plus that of the
 * part where the picture lies on its side.
 */
#ifndef IMAGE_RESAMPLE_H
#define IMAGE_RESAMPLE_H

#include "image/taps.h"
#include "npu.h"

struct resample_spec {
	enum filter filter;
	uint32_t width, height;		/* pixels, of the rows as they come */
	uint8_t orientation;		/* makes them upright: 1 to 8, as in
					   picture.h */
	uint64_t to_width, to_height;	/* of the upright picture, resized */
	uint64_t left, top;		/* the wanted part of it: */
	uint32_t columns, rows;		/* within, and not empty */
	bool floats;			/* between the passes: nearer to the
					   filter, but not Pillow's bytes */
};

struct resample;

/*
 * row is called for each row of the part, numbered from 0, in any order; pixels
 * are valid until it returns.
 */
int resample_open(struct resample **r, const struct resample_spec *spec,
    void (*row)(void *arg, uint32_t y, const uint8_t *pixels), void *arg,
    struct npu_err *err);
/* Where the next rows belong, at most *most > 0 of them. */
uint8_t *resample_room(struct resample *r, unsigned *most);
/* n rows are there. */
void resample_add_rows(struct resample *r, unsigned n);
void resample_close(struct resample *r);	/* NULL is allowed */

#endif
