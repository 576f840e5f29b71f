// SPDX-License-Identifier: Apache-2.0
/*
 * Tests boxes and labels on a picture.  Expected pictures are drawn by draw.h
 * and font.h, which have their own tests, at positions worked out by hand.
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

/* Compares two pictures, and frees both. */
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

/* r: the frame of coloured pixels, as thick as line; seen: how many boxes are
 * counted. */
static const struct {
	const char *what;
	double box[4];
	unsigned line;
	struct rect r;
	size_t seen;
} frames[] = {
	{ "a line of one pixel is the box's own edge",
	    { 4, 5, 10, 9 }, 1, { 4, 5, 10, 9 }, 1 },
	{ "a line of two pixels has one pixel outside",
	    { 4, 5, 10, 9 }, 2, { 3, 4, 11, 10 }, 1 },
	{ "a line of three pixels has one pixel outside", { 4, 5, 10, 9 }, 3,
	    { 3, 4, 11, 10 }, 1 },
	{ "edges are rounded, and halves are rounded up",
	    { 3.5, 4.49, 10.49, 8.5 }, 1,
	    { 4, 4, 10, 9 }, 1 },
	{ "a box without size is drawn as a pixel", { 4, 5, 4, 5 }, 1,
	    { 4, 5, 5, 6 }, 1 },
	{ "at the left and the top, a line stays on the picture",
	    { 0, 0, 5, 5 }, 2, { 0, 0, 6, 6 }, 1 },
	{ "at the right and the bottom, a line stays on the picture",
	    { 10, 8, 20, 16 }, 2,
	    { 9, 7, 20, 16 }, 1 },
	{ "a box that exceeds the picture is cut", { -7, -3, 12, 9 }, 1,
	    { 0, 0, 12, 9 }, 1 },
	{ "a box that exceeds the picture by far is cut",
	    { -1e300, -1e18, 1e18, 1e300 }, 1,
	    { 0, 0, 20, 16 }, 1 },
	{ "a box next to the picture is not drawn or counted",
	    { 20, 3, 25, 6 }, 9, { 0 }, 0 },
	{ "a box that ends where the picture begins is not drawn or counted",
	    { -9, 3, 0, 6 }, 9, { 0 }, 0 },
	{ "a box far from the picture is not drawn or counted",
	    { 1e300, 1e300, 1e301, 1e301 }, 1, { 0 }, 0 },
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

/* Returns the default thickness of a line in a picture of w by h. */
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
	ok(thickness(300, 299) == 1,
	    "300x299: 599 pixels of sides give a line of 1 pixel");
	ok(thickness(640, 480) == 2, "640x480: 1.87 gives a line of 2 pixels");
	ok(thickness(810, 1080) == 3,
	    "810x1080: 3.15 gives a line of 3 pixels");
	ok(thickness(1920, 1080) == 5, "1920x1080: a line of 5 pixels");
	ok(thickness(210, 210) == 1, "210x210: 0.7 gives a line of 1 pixel");
	ok(thickness(210, 205) == 1,
	    "210x205: a small picture has a line of 1 pixel");
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
	ok(same(got, want), "the inside of a box can be half covered");
}

/* ---- Labels ------------------------------------------------------------ */

/* Draws a label with text at x, y, width pixels wide.  Each pixel of the font
 * is size pixels wide and high. */
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

/* The text "ab 0.50" is 7 * 8 + 2 * 2 = 60 pixels wide and 16 high, times its
 * size. */
static const struct {
	const char *what;
	uint32_t w, h;
	double box[4];
	unsigned size;
	int64_t x, y;
	const char *name, *text;
	int64_t width;
} labels[] = {
	{ "is above the box, from its left edge", 200, 100, { 50, 40, 90, 80 },
	    1, 50, 24, "ab", "ab 0.50", 60 },
	{ "is just above a box that is 16 pixels below the picture's top",
	    200, 100, { 50, 16, 90, 80 },
	    1, 50, 0, "ab", "ab 0.50", 60 },
	{ "is inside a box that is 15 pixels below the picture's top",
	    200, 100, { 50, 15, 90, 80 },
	    1, 50, 15, "ab", "ab 0.50", 60 },
	{ "is inside a box that begins above the picture", 200, 100,
	    { 50, -30, 90, 80 }, 1, 50, 0, "ab", "ab 0.50", 60 },
	{ "begins at the picture's left edge", 200, 100, { -20, 40, 90, 80 },
	    1, 0, 24, "ab", "ab 0.50", 60 },
	{ "is moved left, to the picture's right edge",
	    200, 100, { 170, 40, 190, 80 },
	    1, 140, 24, "ab", "ab 0.50", 60 },
	{ "is inside a low box at the top", 200, 100, { 50, 2, 90, 6 },
	    1, 50, 2, "ab", "ab 0.50", 60 },
	{ "is twice as large", 200, 100, { 50, 40, 90, 80 }, 2, 50, 8, "ab",
	    "ab 0.50", 120 },
	{ "is moved left if it is twice as large",
	    200, 100, { 100, 40, 190, 80 }, 2,
	    80, 8, "ab", "ab 0.50", 120 },
	{ "is smaller if it would be wider than the picture", 110, 100,
	    { 50, 40, 90, 80 }, 2, 50, 24, "ab", "ab 0.50", 60 },
	{ "is smaller if it would be higher than the picture",
	    200, 20, { 50, 3, 90, 9 }, 2,
	    50, 3, "ab", "ab 0.50", 60 },
	{ "fits in a picture of its height",
	    200, 16, { 50, 3, 90, 9 }, 1, 50, 0, "ab",
	    "ab 0.50", 60 },
	{ "is cut in a picture that is too low",
	    200, 12, { 50, 3, 90, 9 }, 1, 50, 0, "ab",
	    "ab 0.50", 60 },
	{ "has a name as wide as there is room",
	    76, 60, { 8, 30, 30, 50 }, 1, 0,
	    14, "abcd", "abcd 0.50", 76 },
	{ "has a name that is cut short",
	    75, 60, { 8, 30, 30, 50 }, 1, 7, 14, "abcde",
	    "ab\xe2\x80\xa6 0.50", 68 },
	{ "has no number if there is no room for it",
	    59, 60, { 8, 30, 30, 50 }, 1, 7, 14,
	    "abcdefgh", "abcde\xe2\x80\xa6", 52 },
	{ "of one letter has a number if there is just room for it", 52, 60,
	    { 8, 30, 30, 50 }, 1, 0, 14, "a", "a 0.50", 52 },
	{ "is not drawn if there is no room",
	    11, 60, { 2, 30, 8, 50 }, 1, 0, 0, "ab", "",
	    0 },
	{ "replaces characters that the font lacks",
	    200, 100, { 50, 40, 90, 80 }, 1, 50,
	    24, "\xd0\xb6\xe4\xb8\x80", "\x7f\x7f 0.50", 60 },
	{ "without a name has its number",
	    200, 100, { 50, 40, 90, 80 }, 1, 50, 24, "", " 0.50",
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

/* Tests the text of a confidence.  It is at most as wide as " 0.88". */
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
		ok(same(got, want),
		    "the confidence %g is shown as '%s'", n[i].confidence,
		    n[i].text);
	}
}

/* Tests five boxes in one place.  Labels go above, inside at the top, below,
 * inside at the bottom, and again above. */
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
	ok(same(got, want), "labels do not overlap while there is room, and "
	    "the first label is on top");
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
	ok(annotate(&image, a, N, &style) > 1900, "2000 boxes are drawn");
	free(a);
	free(image.rgb);
}

/* Tests boxes without a name and a confidence.  They have no label. */
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
	ok(same(got, want),
	    "a box without a name and a confidence has no label");
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
