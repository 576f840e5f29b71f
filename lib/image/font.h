/* SPDX-License-Identifier: Apache-2.0 */
/* The glyphs of labels: data/font.txt.  All glyphs have the same width. */
#ifndef IMAGE_FONT_H
#define IMAGE_FONT_H

#include <stddef.h>
#include <stdint.h>

#include "image/draw.h"

enum { FONT_WIDTH = 8, FONT_HEIGHT = 16 };

struct glyph {
	uint32_t codepoint;		/* Unicode */
	uint8_t row[FONT_HEIGHT];	/* bit 7 is the leftmost pixel */
};

/* In ascending order, beginning with U+0020 to U+007E without a gap. */
extern const struct glyph font_glyphs[];
extern const size_t font_glyph_count;

/* Returns the glyph, or U+FFFD, a box, for a missing character.  Never NULL. */
const struct glyph *font_glyph(uint32_t codepoint);

/* Returns the number of glyphs in UTF-8 text: one for each code point, and one
 * for each byte that is not UTF-8. */
size_t font_columns(const char *text);

/*
 * Draws at most columns glyphs of text with the upper left corner at x, y,
 * clipped to the picture.  Each pixel of the font becomes a square with a side
 * of size pixels.
 */
void font_draw(struct image *image, int64_t x, int64_t y, const char *text,
    size_t columns, unsigned size, struct rgb colour);

#endif
