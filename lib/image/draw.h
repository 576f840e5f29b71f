/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws rectangles on a picture.  Coordinates may lie anywhere; pixels outside
 * the picture are not touched.
 */
#ifndef IMAGE_DRAW_H
#define IMAGE_DRAW_H

#include <stdbool.h>

#include "image/image.h"

struct rgb {
	uint8_t r, g, b;
};

/* The pixels from x1 to x2 - 1 and y1 to y2 - 1; empty where x2 <= x1. */
struct rect {
	int64_t x1, y1, x2, y2;
};

/* Returns the intersection, which may be empty. */
struct rect rect_common(struct rect a, struct rect b);
static inline bool
rect_empty(struct rect r)
{
	return r.x2 <= r.x1 || r.y2 <= r.y1;
}
/* Returns the rectangle of the whole picture. */
struct rect rect_of(const struct image *image);

/* Blends the colour: each value becomes (old * (255 - cover) + new * cover) /
 * 255, rounded. */
void draw_fill(struct image *image, struct rect r, struct rgb colour,
    uint8_t cover);

/* Paints the pixels of r whose distance from its edge is less than line
 * pixels. */
void draw_frame(struct image *image, struct rect r, int64_t line,
    struct rgb colour);

#endif
