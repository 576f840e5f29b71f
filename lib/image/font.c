// SPDX-License-Identifier: Apache-2.0
/* font.c - draws text on a picture. */
#include <string.h>

#include "base/utf8.h"
#include "image/font.h"

enum { FIRST = ' ', LAST = '~', UNKNOWN = 0xfffd };

static const struct glyph *
find(uint32_t codepoint)
{
	size_t low = 0, high = font_glyph_count, at;

	while (low < high) {
		at = low + (high - low) / 2;
		if (font_glyphs[at].codepoint == codepoint)
			return &font_glyphs[at];
		if (font_glyphs[at].codepoint < codepoint)
			low = at + 1;
		else
			high = at;
	}
	return NULL;
}

const struct glyph *
font_glyph(uint32_t codepoint)
{
	const struct glyph *g;

	if (codepoint >= FIRST && codepoint <= LAST)
		return &font_glyphs[codepoint - FIRST];
	g = find(codepoint);
	return g != NULL ? g : find(UNKNOWN);
}

/* Reads the code point at *text and moves *text past it. */
static uint32_t
next(const char **text)
{
	uint32_t c;
	size_t n = utf8_decode(*text, strnlen(*text, 4), &c);

	*text += n != 0 ? n : 1;
	return n != 0 ? c : UNKNOWN;
}

size_t
font_columns(const char *text)
{
	size_t n = 0;

	while (*text != '\0') {
		next(&text);
		n++;
	}
	return n;
}

static void
draw_glyph(struct image *image, int64_t x, int64_t y, const struct glyph *g,
    unsigned size, struct rgb colour)
{
	struct rect r;

	for (int i = 0; i < FONT_HEIGHT; i++) {
		for (int j = 0; j < FONT_WIDTH; j++) {
			if ((g->row[i] & 0x80 >> j) == 0)
				continue;
			r.x1 = x + (int64_t)j * size;
			r.y1 = y + (int64_t)i * size;
			r.x2 = r.x1 + size;
			r.y2 = r.y1 + size;
			draw_fill(image, r, colour, 255);
		}
	}
}

void
font_draw(struct image *image, int64_t x, int64_t y, const char *text,
    size_t columns, unsigned size, struct rgb colour)
{
	for (; columns > 0 && *text != '\0'; columns--) {
		draw_glyph(image, x, y, font_glyph(next(&text)), size, colour);
		x += (int64_t)FONT_WIDTH * size;
	}
}
