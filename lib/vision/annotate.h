/* SPDX-License-Identifier: Apache-2.0 */
/* Draws boxes and labels on a picture. */
#ifndef VISION_ANNOTATE_H
#define VISION_ANNOTATE_H

#include <stdbool.h>

#include "image/draw.h"

/* One box.  All numbers must be finite; they may have any size. */
struct annotation {
	const char *name;	/* UTF-8 */
	uint32_t class;		/* determines the colour: palette.h */
	double confidence;	/* shown with two digits, at most 9.99; not
				 * shown if below 0 */
	double box[4];		/* left, top, right, bottom: pixels; left <=
				 * right, top <= bottom */
};

struct annotate_style {
	unsigned line;		/* pixels; 0: 1/600 of width and height */
	unsigned text;		/* size of the font's pixels, in pixels; 0: a
				 * third of line */
	uint8_t cover;		/* opacity of the inside; 255: opaque */
	bool no_labels;
};

/*
 * Draws all boxes, the first box on top.  Returns the number of boxes that
 * touch the picture.
 *
 * The middle of a line is on the edge of the box as box_rect() rounds it, but
 * the line stays within the picture.  A label is placed above its box.  If it
 * would leave the picture there or cover an earlier label, the next possible
 * place is taken: inside at the top, below, or inside at the bottom.  If it
 * would cover an earlier label in each place, it takes the first place within
 * the picture.
 */
size_t annotate(struct image *image, const struct annotation *a, size_t n,
    const struct annotate_style *style);

/* Returns the pixels of a box: edges rounded to the nearest pixel, at least one
 * pixel wide and high.  A crop of the box has the same pixels. */
struct rect box_rect(const double box[4]);

#endif
