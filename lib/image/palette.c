// SPDX-License-Identifier: Apache-2.0
/* palette.c - colours of classes. */
#include <math.h>

#include "image/palette.h"

enum { COLOURS = 80 };

static const uint32_t table[COLOURS] = {
	0xff4020, 0x80ffa0, 0x804080, 0xffc000, 0xa0ff00, 0x208040,
	0xff00c0, 0x60a0ff, 0xc06040, 0xe0e080, 0xa060ff, 0x00a000,
	0xc04080, 0x806000, 0x00ffc0, 0xc0e000, 0xc0a0ff, 0xff6060,
	0xffc060, 0xe060ff, 0x40e0ff, 0x40e040, 0x4040c0, 0xc06080,
	0xa0a000, 0x0080c0, 0xc02000, 0xa0e0a0, 0xa020ff, 0xffa080,
	0x406000, 0xc080ff, 0xa02040, 0xc08000, 0x80c000, 0xffa0e0,
	0x00ffe0, 0xc000e0, 0xff8060, 0x80a040, 0x8060c0, 0x00ff80,
	0xffa000, 0xe04060, 0x2020ff, 0x00c0c0, 0xe0e040, 0xa04000,
	0xff00ff, 0xc080c0, 0x00a040, 0xe0a060, 0xff0080, 0x00ff00,
	0x8020c0, 0xc06060, 0xc0e060, 0xe06000, 0xff80e0, 0x00c080,
	0x0060c0, 0xc0a040, 0xe00040, 0xa00080, 0x6040ff, 0xffe000,
	0x408000, 0xff80a0, 0x40ffff, 0x0080ff, 0xe08040, 0x80e060,
	0xc040c0, 0x60c0ff, 0xffe060, 0xa02020, 0x00a080, 0xff60a0,
	0x4060ff, 0x808020,
};

struct rgb
palette_colour(uint32_t class)
{
	uint32_t c = table[class % COLOURS];

	return (struct rgb){ (uint8_t)(c >> 16), (uint8_t)(c >> 8),
	    (uint8_t)c };
}

/* Returns linear light from an sRGB value (IEC 61966-2-1). */
static double
linear(uint8_t value)
{
	double v = value / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/*
 * Contrast is (lighter + 0.05) / (darker + 0.05) (WCAG 2.1).  Black and white
 * have the same contrast to a background with a luminance of sqrt(1.05 * 0.05)
 * - 0.05.
 */
struct rgb
palette_ink(struct rgb c)
{
	double luminance = 0.2126 * linear(c.r) + 0.7152 * linear(c.g) +
	    0.0722 * linear(c.b);

	if (luminance > 0.1791)
		return (struct rgb){ 0, 0, 0 };
	return (struct rgb){ 255, 255, 255 };
}
