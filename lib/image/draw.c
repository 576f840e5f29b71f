// SPDX-License-Identifier: Apache-2.0
/* draw.c - draws rectangles on a picture. */
#include <string.h>

#include "image/draw.h"

/* A coordinate far outside any picture, yet small enough that sums do not
 * overflow. */
#define FAR ((int64_t)1 << 40)

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t
most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

struct rect
rect_common(struct rect a, struct rect b)
{
	return (struct rect){ most(a.x1, b.x1), most(a.y1, b.y1),
	    least(a.x2, b.x2), least(a.y2, b.y2) };
}

struct rect
rect_of(const struct image *image)
{
	return (struct rect){ 0, 0, image->width, image->height };
}

static uint8_t
blend(unsigned old, unsigned new, unsigned cover)
{
	return (uint8_t)((old * (255 - cover) + new * cover + 127) / 255);
}

static void
blend_row(uint8_t *p, size_t n, struct rgb c, uint8_t cover)
{
	for (size_t i = 0; i < n; i++, p += 3) {
		p[0] = blend(p[0], c.r, cover);
		p[1] = blend(p[1], c.g, cover);
		p[2] = blend(p[2], c.b, cover);
	}
}

void
draw_fill(struct image *image, struct rect r, struct rgb colour,
    uint8_t cover)
{
	size_t stride = (size_t)image->width * 3, n;
	uint8_t *first, *row;

	r = rect_common(r, rect_of(image));
	if (rect_empty(r) || cover == 0)
		return;
	n = (size_t)(r.x2 - r.x1);
	first = image->rgb + (size_t)r.y1 * stride + (size_t)r.x1 * 3;
	for (int64_t y = r.y1; y < r.y2; y++) {
		row = first + (size_t)(y - r.y1) * stride;
		if (cover < 255 || y == r.y1)
			blend_row(row, n, colour, cover);
		else	/* a copy of the row above */
			memcpy(row, first, n * 3);
	}
}

void
draw_frame(struct image *image, struct rect r, int64_t line,
    struct rgb colour)
{
	struct rect all = { -FAR, -FAR, FAR, FAR };
	int64_t top, bottom;

	r = rect_common(r, all);
	if (rect_empty(r) || line <= 0)
		return;
	line = least(line, FAR);
	top = least(r.y1 + line, r.y2);
	bottom = most(r.y2 - line, top);
	draw_fill(image, (struct rect){ r.x1, r.y1, r.x2, top }, colour, 255);
	draw_fill(image, (struct rect){ r.x1, bottom, r.x2, r.y2 }, colour,
	    255);
	draw_fill(image, (struct rect){ r.x1, top, least(r.x1 + line, r.x2),
	    bottom }, colour, 255);
	draw_fill(image, (struct rect){ most(r.x2 - line, r.x1), top, r.x2,
	    bottom }, colour, 255);
}
