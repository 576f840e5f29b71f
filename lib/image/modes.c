// SPDX-License-Identifier: Apache-2.0
/* modes.c - converts pixels before and after a resize in the picture's own
 * mode. */
#include "image/modes.h"

/* Returns round(a * b / 255) for 0 to 255, as Pillow computes it. */
static unsigned
times(unsigned a, unsigned b)
{
	unsigned t = a * b + 128;

	return ((t >> 8) + t) >> 8;
}

void
modes_multiply(uint8_t *p, size_t pixels)
{
	for (; pixels > 0; pixels--, p += 4)
		for (int i = 0; i < 3; i++)
			p[i] = (uint8_t)times(p[i], p[3]);
}

/* Rounds down.  Pixels with an alpha of 0 stay unchanged. */
void
modes_divide(uint8_t *p, size_t pixels)
{
	unsigned v;

	for (; pixels > 0; pixels--, p += 4) {
		if (p[3] == 0)
			continue;
		for (int i = 0; i < 3; i++) {
			v = 255u * p[i] / p[3];
			p[i] = (uint8_t)(v > 255 ? 255 : v);
		}
	}
}

void
modes_invert(uint8_t *p, size_t pixels)
{
	for (size_t i = 0; i < pixels * 4; i++)
		p[i] = (uint8_t)(255 - p[i]);
}

/* Red is the light that black leaves, less the part that cyan absorbs. */
void
modes_cmyk_to_rgb(uint8_t *p, size_t pixels)
{
	for (; pixels > 0; pixels--, p += 4)
		for (int i = 0; i < 3; i++)
			p[i] = (uint8_t)(p[3] - times(255u - p[i], p[3]));
}
