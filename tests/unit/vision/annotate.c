// SPDX-License-Identifier: Apache-2.0
/*
 * Boxes and labels on a picture.  Expected pictures are made of draw.h and
 * font.h, which have tests of their own, at positions worked out by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "image/font.h"
#include "image/palette.h"
#include "tap.h"
#include "vision/annotate.h"

static struct image
white(uint32_t w, uint32_t h)
{
	struct image image = { w, h, malloc((size_t)w * h * 3) };

	memset(image.rgb, 255, (size_t)w * h * 3);
	return image;
}

/* Compares and frees both. */
static bool
same(struct image a, struct image b)
{
	size_t n = (size_t)a.width * a.height, i = 0;

	while (i < n && memcmp(a.rgb + i * 3, b.rgb + i * 3, 3) == 0)
		i++;
	if (i < n)
		diag("differs at %zu,%zu", i % a.width, i / a.width);
	free(a.rgb);
	free(b.rgb);
	return i == n;
}

/* ---- Boxes ------------------------------------------------------------- */

/* The coloured pixels: the frame r this thick, and how many boxes count. */
static const struct {
	const char *what;
	double box[4];
	unsigned line;
	struct rect r;
	size_t seen;
} frames[] = {
	{ "a line of one pixel is the box's own edge",
	    { 4, 5, 10, 9 }, 1, { 4, 5, 10, 9 }, 1 },
	{ "one of two has one pixel outside",
	    { 4, 5, 10, 9 }, 2, { 3, 4, 11, 10 }, 1 },
	{ "one of three has one, too", { 4, 5, 10, 9 }, 3,
	    { 3, 4, 11, 10 }, 1 },
	{ "edges are rounded, halves up", { 3.5, 4.49, 10.49, 8.5 }, 1,
	    { 4, 4, 10, 9 }, 1 },
	{ "a box of no size is a pixel", { 4, 5, 4, 5 }, 1,
	    { 4, 5, 5, 6 }, 1 },
	{ "at the left and above a line stays on the picture",
	    { 0, 0, 5, 5 }, 2, { 0, 0, 6, 6 }, 1 },
	{ "at the right and below, too", { 10, 8, 20, 16 }, 2,
	    { 9, 7, 20, 16 }, 1 },
	{ "a box beyond it is cut", { -7, -3, 12, 9 }, 1,
	    { 0, 0, 12, 9 }, 1 },
	{ "also far beyond", { -1e300, -1e18, 1e18, 1e300 }, 1,
	    { 0, 0, 20, 16 }, 1 },
	{ "a box beside it is none", { 20, 3, 25, 6 }, 9, { 0 }, 0 },
	{ "nor one that ends where it begins", { -9, 3, 0, 6 }, 9, { 0 }, 0 },
	{ "nor one far away", { 1e300, 1e300, 1e301, 1e301 }, 1, { 0 }, 0 },
};

static void
boxes(void)
{
	for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
		struct annotation a = { .name = "", .class = 3 };
		struct annotate_style style = { .line = frames[i].line,
		    .no_labels = true };
		struct image got = white(20, 16), want = white(20, 16);
		size_t seen;

		memcpy(a.box, frames[i].box, sizeof(a.box));
		seen = annotate(&got, &a, 1, &style);
		draw_frame(&want, frames[i].r, frames[i].line,
		    palette_colour(3));
		ok(same(got, want) && seen == frames[i].seen, "%s",
		    frames[i].what);
	}
}

/* Side of a line's own thickness, for a picture of w by h. */
static unsigned
thickness(uint32_t w, uint32_t h)
{
	struct annotation a = { .name = "", .box = { 100, 100, 200, 200 } };
	struct annotate_style style = { .no_labels = true };
	struct image image = white(w, h);
	unsigned n = 0;

	annotate(&image, &a, 1, &style);
	for (uint32_t y = 0; y < 150; y++)
		n += image.rgb[((size_t)y * w + 150) * 3 + 2] != 255;
	free(image.rgb);
	return n;
}

static void
sizes(void)
{
	ok(thickness(300, 299) == 1, "599 pixels of sides: 1 of line");
	ok(thickness(640, 480) == 2, "640x480: 1.87, so 2");
	ok(thickness(810, 1080) == 3, "810x1080: 3.15, so 3");
	ok(thickness(1920, 1080) == 5, "1920x1080: 5");
	ok(thickness(210, 210) == 1, "420: 0.7, so 1");
	ok(thickness(210, 205) == 1, "a small one has a line of 1");
}

static void
inside(void)
{
	struct annotation a = { .name = "", .box = { 2, 2, 8, 8 } };
	struct annotate_style style = { .line = 1, .cover = 128,
	    .no_labels = true };
	struct image got = white(20, 16), want = white(20, 16);

	annotate(&got, &a, 1, &style);
	draw_fill(&want, (struct rect){ 2, 2, 8, 8 }, palette_colour(0), 128);
	draw_frame(&want, (struct rect){ 2, 2, 8, 8 }, 1, palette_colour(0));
	ok(same(got, want), "half covered inside");
}

/* ---- Labels ------------------------------------------------------------ */

/* A label of text at x, y, width wide, with size pixels a pixel. */
static void
label(struct image *image, int64_t x, int64_t y, int64_t width,
    const char *text, unsigned size, uint32_t class)
{
	struct rgb c = palette_colour(class);

	draw_fill(image, (struct rect){ x, y, x + width, y + 16 * size }, c,
	    255);
	font_draw(image, x + 2 * size, y, text, SIZE_MAX, size,
	    palette_ink(c));
}

/* "ab 0.50" has 7 * 8 + 2 * 2 = 60 by 16 pixels, times its size. */
static const struct {
	const char *what;
	uint32_t w, h;
	double box[4];
	unsigned size;
	int64_t x, y;
	const char *name, *text;
	int64_t width;
} labels[] = {
	{ "above the box, from its left edge", 200, 100, { 50, 40, 90, 80 },
	    1, 50, 24, "ab", "ab 0.50", 60 },
	{ "just above, at the picture's top", 200, 100, { 50, 16, 90, 80 },
	    1, 50, 0, "ab", "ab 0.50", 60 },
	{ "inside, where there is one row less", 200, 100, { 50, 15, 90, 80 },
	    1, 50, 15, "ab", "ab 0.50", 60 },
	{ "of a box that begins above the picture", 200, 100,
	    { 50, -30, 90, 80 }, 1, 50, 0, "ab", "ab 0.50", 60 },
	{ "from the picture's left edge", 200, 100, { -20, 40, 90, 80 },
	    1, 0, 24, "ab", "ab 0.50", 60 },
	{ "moved left, to the right edge", 200, 100, { 170, 40, 190, 80 },
	    1, 140, 24, "ab", "ab 0.50", 60 },
	{ "inside, of a low box at the top", 200, 100, { 50, 2, 90, 6 },
	    1, 50, 2, "ab", "ab 0.50", 60 },
	{ "twice as large", 200, 100, { 50, 40, 90, 80 }, 2, 50, 8, "ab",
	    "ab 0.50", 120 },
	{ "moved left twice as large", 200, 100, { 100, 40, 190, 80 }, 2,
	    80, 8, "ab", "ab 0.50", 120 },
	{ "smaller where it would be wider than the picture", 110, 100,
	    { 50, 40, 90, 80 }, 2, 50, 24, "ab", "ab 0.50", 60 },
	{ "smaller where it would be higher", 200, 20, { 50, 3, 90, 9 }, 2,
	    50, 3, "ab", "ab 0.50", 60 },
	{ "a picture just as low", 200, 16, { 50, 3, 90, 9 }, 1, 50, 0, "ab",
	    "ab 0.50", 60 },
	{ "a picture too low", 200, 12, { 50, 3, 90, 9 }, 1, 50, 0, "ab",
	    "ab 0.50", 60 },
	{ "a name as wide as there is room", 76, 60, { 8, 30, 30, 50 }, 1, 0,
	    14, "abcd", "abcd 0.50", 76 },
	{ "a name cut short", 75, 60, { 8, 30, 30, 50 }, 1, 7, 14, "abcde",
	    "ab\xe2\x80\xa6 0.50", 68 },
	{ "no room for the number", 59, 60, { 8, 30, 30, 50 }, 1, 7, 14,
	    "abcdefgh", "abcde\xe2\x80\xa6", 52 },
	{ "a letter, and just room for the number", 52, 60,
	    { 8, 30, 30, 50 }, 1, 0, 14, "a", "a 0.50", 52 },
	{ "room for nothing", 11, 60, { 2, 30, 8, 50 }, 1, 0, 0, "ab", "",
	    0 },
	{ "characters the font lacks", 200, 100, { 50, 40, 90, 80 }, 1, 50,
	    24, "\xd0\xb6\xe4\xb8\x80", "\x7f\x7f 0.50", 60 },
	{ "no name", 200, 100, { 50, 40, 90, 80 }, 1, 50, 24, "", " 0.50",
	    44 },
};

static void
places(void)
{
	for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++) {
		struct annotation a = { .name = labels[i].name, .class = 7,
		    .confidence = 0.5 };
		struct annotate_style style = { .line = 1,
		    .text = labels[i].size };
		uint32_t w = labels[i].w, h = labels[i].h;
		struct image got = white(w, h), want = white(w, h);
		unsigned size = labels[i].width == 120 ? 2 : 1;

		memcpy(a.box, labels[i].box, sizeof(a.box));
		annotate(&got, &a, 1, &style);
		draw_frame(&want, rect_common(box_rect(a.box),
		    rect_of(&want)), 1, palette_colour(7));
		label(&want, labels[i].x, labels[i].y, labels[i].width,
		    labels[i].text, size, 7);
		ok(same(got, want), "a label %s", labels[i].what);
	}
}

/* The text of a confidence: " 0.88" is as wide as can be. */
static void
numbers(void)
{
	static const struct {
		double confidence;
		const char *text;
		int64_t width;
	} n[] = { { 0.876, "a 0.88", 52 }, { 0, "a 0.00", 52 },
	    { 0.996, "a 1.00", 52 }, { 1.0039, "a 1.00", 52 },
	    { 1e300, "a 9.99", 52 }, { -1, "a", 12 } };

	for (size_t i = 0; i < sizeof(n) / sizeof(*n); i++) {
		struct annotation a = { "a", 0, n[i].confidence,
		    { 50, 40, 90, 80 } };
		struct annotate_style style = { .line = 1, .text = 1 };
		struct image got = white(200, 100), want = white(200, 100);

		annotate(&got, &a, 1, &style);
		draw_frame(&want, box_rect(a.box), 1, palette_colour(0));
		label(&want, 50, 24, n[i].width, n[i].text, 1, 0);
		ok(same(got, want), "%g is shown as '%s'", n[i].confidence,
		    n[i].text);
	}
}

/* Five in the same place: above, inside, below, inside below, and no more. */
static void
crowd(void)
{
	struct annotation a[5];
	struct annotate_style style = { .line = 1, .text = 1 };
	struct image got = white(200, 200), want = white(200, 200);
	static const int64_t y[] = { 64, 80, 140, 124, 64 };

	for (uint32_t i = 0; i < 5; i++)
		a[i] = (struct annotation){ "ab", i, 0.5,
		    { 50, 80, 120, 140 } };
	annotate(&got, a, 5, &style);
	draw_frame(&want, (struct rect){ 50, 80, 120, 140 }, 1,
	    palette_colour(0));
	for (uint32_t i = 5; i-- > 0;)
		label(&want, 50, y[i], 60, "ab 0.50", 1, i);
	ok(same(got, want), "labels keep clear of each other, and the first "
	    "is on top");
}

static void
many(void)
{
	enum { N = 2000 };
	struct annotation *a = calloc(N, sizeof(*a));
	struct annotate_style style = { 0 };
	struct image image = white(300, 200);

	for (int i = 0; i < N; i++)
		a[i] = (struct annotation){ "person", (uint32_t)i, i / 2000.0,
		    { i % 300 - 5, i % 200 - 5, i % 300 + i % 50,
		    i % 200 + i % 40 } };
	ok(annotate(&image, a, N, &style) > 1900, "2000 boxes");
	free(a);
	free(image.rgb);
}

/* Neither a name nor a number: no label, whether first or last. */
static void
nothing(void)
{
	enum { N = 600 };
	struct annotation *a = calloc(N, sizeof(*a));
	struct annotate_style style = { .line = 1 };
	struct image got = white(30, 20), want = white(30, 20);

	for (int i = 0; i < N; i++)
		a[i] = (struct annotation){ "", 5, -1, { 3, 4, 20, 15 } };
	annotate(&got, a, N, &style);
	draw_frame(&want, box_rect(a->box), 1, palette_colour(5));
	ok(same(got, want), "nothing to say, no label");
	free(a);
}

int
main(void)
{
	boxes();
	sizes();
	inside();
	places();
	numbers();
	crowd();
	many();
	nothing();
	return done();
}
