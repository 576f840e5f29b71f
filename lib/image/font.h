/* SPDX-License-Identifier: Apache-2.0 */
/* The letters of labels: data/font.txt, each of the same width. */
#ifndef IMAGE_FONT_H
#define IMAGE_FONT_H

#include <stddef.h>
#include <stdint.h>

#include "image/draw.h"

enum { FONT_WIDTH = 8, FONT_HEIGHT = 16 };

struct glyph {
	uint32_t codepoint;		/* Unicode */
	uint8_t row[FONT_HEIGHT];	/* the leftmost pixel is bit 7 */
};

/* Ascending; U+0020 to U+007E first, without a gap. */
extern const struct glyph font_glyphs[];
extern const size_t font_glyph_count;

/* Never NULL: a missing character is U+FFFD, a box. */
const struct glyph *font_glyph(uint32_t codepoint);

/* The number of glyphs of UTF-8 text: one for each code point, one for each
 * byte that is not UTF-8. */
size_t font_columns(const char *text);

/*
 * Draws at most columns glyphs of text, its upper left corner at x, y, each
 * pixel of the font a square of size pixels, clipped to the picture.
 */
void font_draw(struct image *image, int64_t x, int64_t y, const char *text,
    size_t columns, unsigned size, struct rgb colour);

#endif
