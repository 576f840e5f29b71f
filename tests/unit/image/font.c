// SPDX-License-Identifier: Apache-2.0
/* Tests the font of labels. */
#include <stdlib.h>
#include <string.h>

#include "image/font.h"
#include "tap.h"

#define BOX 0xfffd

static bool
same(const struct glyph *a, const struct glyph *b)
{
	return memcmp(a->row, b->row, sizeof(a->row)) == 0;
}

static bool
is_blank(const struct glyph *g)
{
	static const uint8_t none[FONT_HEIGHT];

	return memcmp(g->row, none, sizeof(none)) == 0;
}

static void
glyphs(void)
{
	int twins = 0, none = 0;

	for (uint32_t c = ' '; c <= '~'; c++)
		if (font_glyph(c)->codepoint != c)
			none++;
	for (uint32_t c = 0xc0; c <= 0xff; c++)
		if (font_glyph(c)->codepoint != c)
			none++;
	ok(none == 0, "every printable ASCII character and every letter of "
	    "Latin-1 has a glyph");
	for (size_t i = 0; i < font_glyph_count; i++) {
		none += i > 0 && is_blank(&font_glyphs[i]);
		for (size_t k = 0; k < i; k++) {
			if (!same(&font_glyphs[i], &font_glyphs[k]))
				continue;
			diag("U+%04X is U+%04X", font_glyphs[i].codepoint,
			    font_glyphs[k].codepoint);
			twins++;
		}
	}
	ok(is_blank(font_glyph(' ')), "the space is blank");
	ok(none == 0, "no other glyph is blank");
	ok(twins == 0, "no two glyphs look the same");
	for (size_t i = 0; i < font_glyph_count; i++)
		if (font_glyph(font_glyphs[i].codepoint) != &font_glyphs[i])
			none++;
	ok(none == 0, "each glyph is found by its code point");
}

static void
unknown(void)
{
	static const uint32_t points[] = { 0, 10, 0x1f, 0x7f, 0x80, 0x4e00,
	    0x1f600, 0x10ffff, UINT32_MAX };
	int wrong = 0;

	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++)
		wrong += font_glyph(points[i])->codepoint != BOX;
	ok(wrong == 0, "a character that the font does not have becomes a box");
}

static void
columns(void)
{
	ok(font_columns("") == 0, "an empty text has no glyph");
	ok(font_columns("person 0.88") == 11, "an ASCII text has a glyph for "
	    "each character");
	ok(font_columns("\xc3\xa4\xe4\xb8\x80\xf0\x9f\x98\x80") == 3,
	    "a text has a glyph for each code point of 2, 3 and 4 bytes");
	ok(font_columns("a\xff\xc3(") == 4,
	    "a text has a glyph for each byte that is not UTF-8");
	ok(font_columns("\xe4\xb8") == 2, "a truncated code point at the end "
	    "has a glyph for each byte");
}

/* Returns true if pixel x, y of the picture is black. */
static bool
inked(const struct image *image, int x, int y)
{
	return image->rgb[((size_t)y * image->width + (size_t)x) * 3] == 0;
}

/* Draws the text L! at 3, 2 in size 2, and compares each pixel with the rows of
 * the glyphs (font.h). */
static void
draws(void)
{
	enum { W = 40, H = 36 };
	struct image image = { W, H, malloc(3 * W * H) };
	const struct glyph *g;
	int wrong = 0, n = 0;

	memset(image.rgb, 255, 3 * W * H);
	font_draw(&image, 3, 2, "L!~", 2, 2, (struct rgb){ 0, 0, 0 });
	for (int y = 0; y < H; y++) {
		for (int x = 0; x < W; x++) {
			int gx = (x - 3) / 2, gy = (y - 2) / 2;
			bool want = false;

			g = font_glyph(gx < FONT_WIDTH ? 'L' : '!');
			if (x >= 3 && y >= 2 && gx < 16 && gy < FONT_HEIGHT)
				want = g->row[gy] >> (7 - gx % 8) & 1;
			wrong += want != inked(&image, x, y);
			n += want;
		}
	}
	ok(wrong == 0 && n > 100, "font_draw() draws the glyphs side by side, "
	    "in size 2, and not more than requested");
	memset(image.rgb, 255, 3 * W * H);
	font_draw(&image, -5, -5, "person", 99, 3, (struct rgb){ 0, 0, 0 });
	font_draw(&image, INT32_MAX, INT32_MIN, "person", 99, 3,
	    (struct rgb){ 0, 0, 0 });
	ok(true, "font_draw() cuts the text at the edges of the picture");
	free(image.rgb);
}

/* The letter L as font.txt shows it. */
static void
as_drawn(void)
{
	static const uint8_t l[FONT_HEIGHT] = { 0, 0, 0xc0, 0xc0, 0xc0, 0xc0,
	    0xc0, 0xc0, 0xc0, 0xc0, 0xc0, 0xfe };

	ok(memcmp(font_glyph('L')->row, l, sizeof(l)) == 0,
	    "the glyph L has the shape of an L");
}

int
main(void)
{
	glyphs();
	as_drawn();
	unknown();
	columns();
	draws();
	return done();
}
