// SPDX-License-Identifier: Apache-2.0
/* Draws rectangles, crops pictures, and compares the colours of classes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/crop.h"
#include "image/draw.h"
#include "image/palette.h"
#include "tap.h"

#define W 9
#define H 7

static const struct rgb red = { 200, 0, 0 };

/* The bytes around the pixels show if anything is written outside the
 * picture. */
static uint8_t memory[3 * W * (H + 2)];

static struct image
blank(uint8_t value)
{
	memset(memory, value, sizeof(memory));
	return (struct image){ W, H, memory + 3 * W };
}

/* Returns the colour of a pixel: '#' is red, '.' white, '?' any other
 * colour. */
static char
at(const struct image *i, int x, int y)
{
	const uint8_t *p = i->rgb + ((size_t)y * i->width + (size_t)x) * 3;

	if (p[0] == 255 && p[1] == 255 && p[2] == 255)
		return '.';
	return memcmp(p, &red, 3) == 0 ? '#' : '?';
}

static bool
margins_kept(uint8_t value)
{
	for (int i = 0; i < 3 * W; i++)
		if (memory[i] != value || memory[3 * W * (H + 1) + i] != value)
			return false;
	return true;
}

static bool
looks(const struct image *image, const char *const want[H])
{
	char row[W + 1] = "";
	bool same = true;

	for (int y = 0; y < H; y++) {
		for (int x = 0; x < W; x++)
			row[x] = at(image, x, y);
		if (strcmp(row, want[y]) != 0) {
			diag("row %d is %s, not %s", y, row, want[y]);
			same = false;
		}
	}
	return same && margins_kept(255);
}

static void
by_hand(void)
{
	static const char *const frame[H] = {
		".........",
		".######..",
		".######..",
		".##..##..",
		".######..",
		".######..",
		".........",
	};
	static const char *const cut[H] = {
		"...#.....",
		"...#.....",
		"...#.....",
		"####.....",
		".........",
		".........",
		".........",
	};
	struct image image = blank(255);

	draw_frame(&image, (struct rect){ 1, 1, 7, 6 }, 2, red);
	ok(looks(&image, frame), "a frame is two pixels wide");
	image = blank(255);
	draw_frame(&image, (struct rect){ -5, -9, 4, 4 }, 1, red);
	ok(looks(&image, cut), "a frame is cut at the left and the upper edge");
}

/* Returns true if the pixel belongs to the frame, by the definition in
 * draw.h. */
static bool
in_frame(struct rect r, int line, int x, int y)
{
	return x >= r.x1 && x < r.x2 && y >= r.y1 && y < r.y2 &&
	    (x - r.x1 < line || r.x2 - 1 - x < line ||
	    y - r.y1 < line || r.y2 - 1 - y < line);
}

static bool
frame_right(struct rect r, int line)
{
	struct image image = blank(255);

	draw_frame(&image, r, line, red);
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			if (at(&image, x, y) !=
			    (in_frame(r, line, x, y) ? '#' : '.'))
				return false;
	return margins_kept(255);
}

static void
every_frame(void)
{
	struct rect r;
	int n = 0, wrong = 0;

	for (r.x1 = -3; r.x1 < W + 2; r.x1++)
		for (r.x2 = r.x1 - 1; r.x2 < W + 3; r.x2++)
			for (r.y1 = -3; r.y1 < H + 2; r.y1 += 2)
				for (r.y2 = r.y1; r.y2 < H + 3; r.y2++)
					for (int line = 0; line < 5; line++) {
						n++;
						wrong += !frame_right(r, line);
					}
	ok(n > 10000 && wrong == 0, "frames of all sizes and positions, cut at "
	    "every edge, are right: %d frames, %d wrong", n, wrong);
}

static void
hostile(void)
{
	static const int64_t v[] = { INT64_MIN, INT64_MIN + 1, -1, 0, 3,
	    INT64_MAX - 1, INT64_MAX };
	enum { N = sizeof(v) / sizeof(*v) };
	struct image image, part = { 0 };
	bool kept = true, same = true;

	for (int i = 0; i < N * N * N * N; i++) {
		struct rect r = { v[i % N], v[i / N % N], v[i / N / N % N],
		    v[i / N / N / N] };

		image = blank(255);
		draw_fill(&image, r, red, 100);
		draw_frame(&image, r, INT64_MAX, red);
		kept = kept && margins_kept(255);
		image = blank(255);
		if (image_crop(&image, r, &part, NULL) < 0)
			continue;
		same = same && part.width <= W && part.height <= H;
		free(part.rgb);
	}
	ok(kept, "coordinates at the ends of int64_t do not write outside the "
	    "picture");
	ok(same, "coordinates at the ends of int64_t do not crop more than the "
	    "picture");
}

static void
fills(void)
{
	struct image image = blank(100);
	const uint8_t *p = image.rgb;

	/* 100 * 204/255 + 200 * 51/255 = 80 + 40, and 80 + 0 */
	draw_fill(&image, (struct rect){ 0, 0, 1, 1 }, red, 51);
	ok(p[0] == 120 && p[1] == 80 && p[2] == 80 && p[3] == 100,
	    "a fifth of red over grey mixes both colours");
	draw_fill(&image, (struct rect){ 1, 0, 2, 1 }, red, 0);
	ok(p[3] == 100, "a colour of opacity 0 changes nothing");
	draw_fill(&image, (struct rect){ 1, 0, 2, 1 }, red, 255);
	ok(memcmp(p + 3, &red, 3) == 0,
	    "a colour of opacity 255 replaces the pixel");
	/* 100 * 254/255 + 200/255 = 100.39 */
	draw_fill(&image, (struct rect){ 2, 0, 3, 1 }, red, 1);
	ok(p[6] == 100 && p[7] == 100,
	    "a mixed colour is rounded to the nearest value");
}

static void
crops(void)
{
	struct image image = blank(0), part = { 0 };
	struct npu_err err;

	for (int i = 0; i < W * H; i++)
		image.rgb[i * 3] = (uint8_t)i;
	ok(image_crop(&image, (struct rect){ 2, 1, 4, 4 }, &part, &err) == 0 &&
	    part.width == 2 && part.height == 3,
	    "a crop has the size of its box");
	ok(part.rgb[0] == W + 2 && part.rgb[3] == W + 3 &&
	    part.rgb[6] == 2 * W + 2 && part.rgb[15] == 3 * W + 3,
	    "a crop has the pixels of its box");
	free(part.rgb);
	ok(image_crop(&image, (struct rect){ 7, -5, 100, 1 }, &part,
	    &err) == 0 && part.width == 2 && part.height == 1 &&
	    part.rgb[0] == 7,
	    "a crop ends at the right and upper edge of the picture");
	free(part.rgb);
	ok(image_crop(&image, (struct rect){ -5, 5, 2, 99 }, &part,
	    &err) == 0 && part.width == 2 && part.height == 2 &&
	    part.rgb[0] == 5 * W && part.rgb[3] == 5 * W + 1,
	    "a crop begins at the left edge and ends at the lower edge of the "
	    "picture");
	free(part.rgb);
	ok(image_crop(&image, (struct rect){ W, 0, W + 5, H }, &part,
	    &err) == NPU_EUSAGE, "a crop outside the picture is refused: %s",
	    err.msg);
}

/* ---- Colours ----------------------------------------------------------- */

static double
linear(uint8_t v)
{
	return v <= 0.04045 * 255 ? v / 255.0 / 12.92 :
	    pow((v / 255.0 + 0.055) / 1.055, 2.4);
}

static double
luminance(struct rgb c)
{
	return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) +
	    0.0722 * linear(c.b);
}

static double
f(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* CIE 15: L*a*b* under D65, from sRGB (IEC 61966-2-1). */
static void
lab(struct rgb c, double v[3])
{
	double r = linear(c.r), g = linear(c.g), b = linear(c.b);
	double x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
	double y = f(luminance(c));
	double z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0890);

	v[0] = 116 * y - 16;
	v[1] = 500 * (x - y);
	v[2] = 200 * (y - z);
}

static double
difference(uint32_t a, uint32_t b)
{
	double p[3], q[3];

	lab(palette_colour(a), p);
	lab(palette_colour(b), q);
	return hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
}

static void
colours(void)
{
	double near = 1000, nearer = 1000, any = 1000, contrast = 1000;

	for (uint32_t i = 0; i < 80; i++) {
		struct rgb c = palette_colour(i);
		double y = luminance(c), ink = luminance(palette_ink(c));

		contrast = fmin(contrast, fmax(y + 0.05, ink + 0.05) /
		    fmin(y + 0.05, ink + 0.05));
		nearer = fmin(nearer, difference(i, i + 1));
		for (uint32_t k = 1; k <= 8; k++)
			near = fmin(near, difference(i, i + k));
		for (uint32_t k = i + 1; k < 80; k++)
			any = fmin(any, difference(i, k));
	}
	ok(nearer >= 50, "the colours of neighbouring classes differ by at "
	    "least 50: %.1f", nearer);
	ok(near >= 30, "the colours of classes less than 9 apart differ by at "
	    "least 30: %.1f", near);
	ok(any >= 17, "the colours of any two of 80 classes differ by at least "
	    "17: %.1f", any);
	ok(difference(3, 83) == 0 && difference(UINT32_MAX, 15) == 0,
	    "the colours repeat after 80 classes, up to the last number");
	/* WCAG 2.1, 1.4.3: 4.5 for text */
	ok(contrast >= 4.5,
	    "the text on every colour has a contrast of at least 4.5: %.2f",
	    contrast);
}

int
main(void)
{
	by_hand();
	every_frame();
	hostile();
	fills();
	crops();
	colours();
	return done();
}
