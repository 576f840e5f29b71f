/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes and labels on a picture. */
#ifndef VISION_ANNOTATE_H
#define VISION_ANNOTATE_H

#include <stdbool.h>

#include "image/draw.h"

/* One box.  Numbers are finite, of any size. */
struct annotation {
	const char *name;	/* UTF-8 */
	uint32_t class;		/* its colour: palette.h */
	double confidence;	/* to two digits, 9.99 at most; less than 0:
				   not shown */
	double box[4];		/* left, top, right, bottom: pixels; left <=
				   right, top <= bottom */
};

struct annotate_style {
	unsigned line;		/* pixels; 0: 1/600 of width and height */
	unsigned text;		/* pixels of a pixel of the font; 0: a third
				   of line */
	uint8_t cover;		/* opacity of the inside; 255: opaque */
	bool no_labels;
};

/*
 * Draws all boxes, the first on top.  Returns how many of them touch the
 * picture.
 *
 * A line has its middle on the edge of the box as box_rect() rounds it, but
 * lies within the picture.  A label stands above its box; where it would leave
 * the picture or cover the label of an earlier one, inside at the top, below,
 * or inside at the bottom, if that is better.
 */
size_t annotate(struct image *image, const struct annotation *a, size_t n,
    const struct annotate_style *style);

/* The pixels of a box: edges rounded to the nearest, at least one pixel wide
 * and high.  A crop of the box has the same pixels. */
struct rect box_rect(const double box[4]);

#endif
