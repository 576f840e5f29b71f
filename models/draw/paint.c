// SPDX-License-Identifier: Apache-2.0
/* Outlines and antialiased filling, in integers. */
#include <stdlib.h>
#include <string.h>

#include "paint.h"

enum { SUBLINES = 4 };

/* The sine of a quarter turn in 16 steps, times ONE. */
static const int quarter[17] = {
	0, 401, 799, 1189, 1567, 1931, 2276, 2598, 2896, 3166, 3406, 3612,
	3784, 3920, 4017, 4076, 4096,
};

int
sine(int turn)
{
	int t = turn & 15;

	switch (turn >> 4 & 3) {
	case 0: return quarter[t];
	case 1: return quarter[16 - t];
	case 2: return -quarter[t];
	default: return -quarter[16 - t];
	}
}

/* Corners of the shapes that are polygons; circumscribed radius ONE. */
static const struct {
	int n;
	int xy[12][2];
} corners[PLAIN_SHAPES] = {
	[1] = { 4, { { -2896, -2896 }, { 2896, -2896 }, { 2896, 2896 },
	    { -2896, 2896 } } },
	[2] = { 3, { { 0, -4096 }, { 3547, 2048 }, { -3547, 2048 } } },
	/* Five points, the inner corners at 0.42 of the radius. */
	[3] = { 10, { { 0, -4096 }, { 1011, -1392 }, { 3896, -1266 },
	    { 1636, 532 }, { 2408, 3314 }, { 0, 1720 }, { -2408, 3314 },
	    { -1636, 532 }, { -3896, -1266 }, { -1011, -1392 } } },
	/* Arms a third as wide as the cross. */
	[4] = { 12, { { -1295, -3886 }, { 1295, -3886 }, { 1295, -1295 },
	    { 3886, -1295 }, { 3886, 1295 }, { 1295, 1295 },
	    { 1295, 3886 }, { -1295, 3886 }, { -1295, 1295 },
	    { -3886, 1295 }, { -3886, -1295 }, { -1295, -1295 } } },
};

void
outline_disc(struct outline *o, int r, int cx, int cy)
{
	*o = (struct outline){ .cx = cx, .cy = cy, .r = r };
}

void
outline_bar(struct outline *o, int turn, int length, int width, int cx, int cy)
{
	static const int sign[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 },
	    { -1, 1 } };
	int s = sine(turn), c = sine(turn + 16);

	*o = (struct outline){ .n = 4 };
	for (int i = 0; i < 4; i++) {
		int x = sign[i][0] * length / 2, y = sign[i][1] * width / 2;

		o->x[i] = cx + (x * c - y * s) / ONE;
		o->y[i] = cy + (x * s + y * c) / ONE;
	}
}

void
outline_box(const struct outline *o, int box[4])
{
	if (o->n == 0) {
		box[0] = o->cx - o->r;
		box[1] = o->cy - o->r;
		box[2] = o->cx + o->r;
		box[3] = o->cy + o->r;
		return;
	}
	box[0] = box[2] = o->x[0];
	box[1] = box[3] = o->y[0];
	for (int i = 1; i < o->n; i++) {
		box[0] = o->x[i] < box[0] ? o->x[i] : box[0];
		box[1] = o->y[i] < box[1] ? o->y[i] : box[1];
		box[2] = o->x[i] > box[2] ? o->x[i] : box[2];
		box[3] = o->y[i] > box[3] ? o->y[i] : box[3];
	}
}

void
outline_shape(struct outline *o, unsigned shape, int turn, int size, int cx,
    int cy)
{
	int s = sine(turn), c = sine(turn + 16), n = corners[shape].n;
	int box[4], extent;

	if (n == 0) {
		outline_disc(o, size / 2, cx, cy);
		/* With 0.55 the band of a ring of 22 pixels is visible. */
		o->hole = shape == 0 ? 0 : size * 55 / 200;
		return;
	}
	*o = (struct outline){ .n = n };
	for (int i = 0; i < n; i++) {
		int x = corners[shape].xy[i][0], y = corners[shape].xy[i][1];

		o->x[i] = (x * c - y * s) / ONE;
		o->y[i] = (x * s + y * c) / ONE;
	}
	outline_box(o, box);
	extent = box[2] - box[0] > box[3] - box[1] ? box[2] - box[0] :
	    box[3] - box[1];
	/* Not zero: the corners differ. */
	/* NOLINTBEGIN(clang-analyzer-core.DivideZero) */
	for (int i = 0; i < n; i++) {
		o->x[i] -= (box[0] + box[2]) / 2;
		o->x[i] = cx + o->x[i] * size / extent;
		o->y[i] -= (box[1] + box[3]) / 2;
		o->y[i] = cy + o->y[i] * size / extent;
	}
	/* NOLINTEND(clang-analyzer-core.DivideZero) */
}

/* Returns the largest r with r * r <= v. */
static int
root(int v)
{
	int r = 0;

	for (int bit = 1 << 15; bit > 0; bit >>= 1)
		if ((int64_t)(r + bit) * (r + bit) <= v)
			r += bit;
	return r;
}

/* Stores the x at which the line y crosses o, in ascending order.  Returns
 * their number. */
static int
crossings(const struct outline *o, int y, int x[MOST_CORNERS])
{
	int n = 0, radius[2] = { o->r, o->hole }, dy = y - o->cy, w, j;

	for (int i = 0; o->n == 0 && i < 2; i++) {
		if (abs(dy) >= radius[i])
			continue;
		w = root(radius[i] * radius[i] - dy * dy);
		x[n++] = o->cx - w;
		x[n++] = o->cx + w;
	}
	for (int i = 0; i < o->n; i++) {
		j = (i + 1) % o->n;
		if ((o->y[i] <= y) != (o->y[j] <= y))
			x[n++] = o->x[i] + (o->x[j] - o->x[i]) *
			    (y - o->y[i]) / (o->y[j] - o->y[i]);
	}
	for (int i = 1; i < n; i++) {
		w = x[i];
		for (j = i; j > 0 && x[j - 1] > w; j--)
			x[j] = x[j - 1];
		x[j] = w;
	}
	return n;
}

/* Adds the span from x0 to x1 of one subline to a row. */
static void
add_span(uint8_t *row, int side, int x0, int x1)
{
	int a, b;

	x0 = x0 < 0 ? 0 : x0;
	x1 = x1 > side * UNIT ? side * UNIT : x1;
	for (int x = x0 / UNIT; x * UNIT < x1; x++) {
		a = x0 > x * UNIT ? x0 : x * UNIT;
		b = x1 < (x + 1) * UNIT ? x1 : (x + 1) * UNIT;
		row[x] = (uint8_t)(row[x] + b - a);
	}
}

static int
within(int v, int most)
{
	return v < 0 ? 0 : v > most ? most : v;
}

static void
mask_clear(struct mask *m)
{
	for (int y = m->y0; y < m->y1; y++)
		memset(m->cover[y] + m->x0, 0, (size_t)(m->x1 - m->x0));
}

void
mask_fill(struct mask *m, const struct outline *o, int side)
{
	int x[MOST_CORNERS], n, box[4];

	mask_clear(m);
	outline_box(o, box);
	m->x0 = within(box[0] / UNIT - 1, side);
	m->y0 = within(box[1] / UNIT - 1, side);
	m->x1 = within(box[2] / UNIT + 2, side);
	m->y1 = within(box[3] / UNIT + 2, side);
	for (int y = m->y0; y < m->y1; y++) {
		for (int sub = 0; sub < SUBLINES; sub++) {
			n = crossings(o, y * UNIT + UNIT / SUBLINES * sub +
			    UNIT / SUBLINES / 2, x);
			for (int i = 0; i + 1 < n; i += 2)
				add_span(m->cover[y], side, x[i], x[i + 1]);
		}
	}
}

void
canvas_blend(struct canvas *c, const struct mask *m, const uint8_t rgb[3])
{
	uint8_t *p;

	for (int y = m->y0; y < m->y1; y++) {
		for (int x = m->x0; x < m->x1; x++) {
			int a = m->cover[y][x];

			p = canvas_at(c, x, y);
			for (int i = 0; a > 0 && i < 3; i++)
				p[i] = (uint8_t)((p[i] * (COVERED - a) +
				    rgb[i] * a + COVERED / 2) / COVERED);
		}
	}
}
