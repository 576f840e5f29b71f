// SPDX-License-Identifier: Apache-2.0
/* annotate.c - draws boxes and labels on a picture. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "image/font.h"
#include "image/palette.h"
#include "vision/annotate.h"

enum {
	SHARE = 600,		/* a line is 1/600 of width and height */
	REMEMBERED = 512,	/* labels that later labels avoid */
	SCORE = 5,		/* columns in " 0.88" */
};

#define ELLIPSIS "\xe2\x80\xa6"

/* A label, measured in pixels of the picture. */
struct label {
	struct rect r;		/* empty: the label does not fit */
	unsigned size;		/* of a pixel of the font */
	size_t columns;		/* columns of the name that fit */
	bool cut, score;
};

struct page {
	struct image *image;
	unsigned line, text;
	struct label label[REMEMBERED];
};

/* ---- Boxes ------------------------------------------------------------- */

static int64_t
nearest(double x)
{
	const double far = 1e12;

	return (int64_t)floor(fmax(-far, fmin(far, x)) + 0.5);
}

struct rect
box_rect(const double box[4])
{
	struct rect r = { nearest(box[0]), nearest(box[1]), nearest(box[2]),
	    nearest(box[3]) };

	if (r.x2 <= r.x1)
		r.x2 = r.x1 + 1;
	if (r.y2 <= r.y1)
		r.y2 = r.y1 + 1;
	return r;
}

/* Returns the part of a box to be coloured; empty if the box is outside the
 * picture. */
static struct rect
outline(const struct page *p, const struct annotation *a)
{
	struct rect all = rect_of(p->image);
	struct rect r = rect_common(box_rect(a->box), all);
	int64_t out = p->line / 2;

	if (rect_empty(r))
		return r;
	r = (struct rect){ r.x1 - out, r.y1 - out, r.x2 + out, r.y2 + out };
	return rect_common(r, all);
}

/* ---- Labels ------------------------------------------------------------ */

static int64_t
label_width(size_t columns, unsigned size)
{
	/* Two pixels of the font are left free on both sides. */
	return ((int64_t)columns * FONT_WIDTH + 4) * size;
}

/* Computes the size of a label, and how much of the name fits.  The width is 0
 * if nothing fits. */
static void
measure(const struct page *p, const struct annotation *a, struct label *l)
{
	size_t name = font_columns(a->name), room;
	int64_t width = p->image->width;

	*l = (struct label){ .size = p->text, .columns = name,
	    .score = a->confidence >= 0 };
	while (l->size > 1 && (label_width(name + SCORE, l->size) > width ||
	    (int64_t)FONT_HEIGHT * l->size > p->image->height))
		l->size--;
	room = width < label_width(1, l->size) ? 0 :
	    (size_t)(width / l->size - 4) / FONT_WIDTH;
	if (l->score && room < SCORE + 2 && room < SCORE + name)
		l->score = false;
	if (l->score)
		room -= SCORE;
	l->cut = name > room;
	if (l->cut)
		l->columns = room > 0 ? room - 1 : 0;
	if (room > 0 && (name > 0 || l->score))
		l->r = (struct rect){ 0, 0, label_width(l->columns + l->cut +
		    (l->score ? SCORE : 0), l->size),
		    (int64_t)FONT_HEIGHT * l->size };
}

static bool
clear(const struct page *p, struct rect r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!rect_empty(rect_common(r, p->label[i].r)))
			return false;
	return true;
}

static struct rect
moved(struct rect r, int64_t x, int64_t y)
{
	return (struct rect){ r.x1 + x, r.y1 + y, r.x2 + x, r.y2 + y };
}

/* Places label l of a box with the outline o.  n labels are already placed. */
static void
place_label(const struct page *p, struct rect o, size_t n, struct label *l)
{
	int64_t h = l->r.y2, space = p->image->width - l->r.x2, x = o.x1;
	int64_t tops[] = { o.y1 - h, o.y1, o.y2, o.y2 - h };
	struct rect first = { 0 }, r;

	if (x > space)
		x = space;
	for (size_t i = 0; i < sizeof(tops) / sizeof(*tops); i++) {
		r = moved(l->r, x, tops[i]);
		if (r.y1 < 0 || r.y2 > p->image->height)
			continue;
		if (clear(p, r, n)) {
			l->r = r;
			return;
		}
		if (rect_empty(first))
			first = r;
	}
	/* The picture is less high than a label. */
	l->r = rect_empty(first) ? moved(l->r, x, 0) : first;
}

static void
draw_label(const struct page *p, const struct annotation *a,
    const struct label *l)
{
	struct rgb colour = palette_colour(a->class);
	struct rgb ink = palette_ink(colour);
	int64_t x = l->r.x1 + 2 * l->size;
	int64_t step = (int64_t)FONT_WIDTH * l->size;
	char score[32];

	draw_fill(p->image, l->r, colour, 255);
	font_draw(p->image, x, l->r.y1, a->name, l->columns, l->size, ink);
	x += (int64_t)l->columns * step;
	if (l->cut)
		font_draw(p->image, x, l->r.y1, ELLIPSIS, 1, l->size, ink);
	snprintf(score, sizeof(score), " %.2f", fmin(a->confidence, 9.99));
	if (l->score)
		font_draw(p->image, x + (l->cut ? step : 0), l->r.y1, score,
		    SCORE, l->size, ink);
}

/* The labels of the best boxes are placed first and drawn last. */
static void
draw_labels(struct page *p, const struct annotation *a, size_t n)
{
	size_t kept = n < REMEMBERED ? n : REMEMBERED;
	struct label late, *l;
	struct rect o;

	for (size_t i = 0; i < kept; i++) {
		o = outline(p, &a[i]);
		measure(p, &a[i], &p->label[i]);
		if (rect_empty(o))
			p->label[i].r = (struct rect){ 0 };
		if (!rect_empty(p->label[i].r))
			place_label(p, o, i, &p->label[i]);
	}
	for (size_t i = n; i-- > 0;) {
		l = i < kept ? &p->label[i] : &late;
		o = outline(p, &a[i]);
		if (rect_empty(o))
			continue;
		if (i >= kept)
			measure(p, &a[i], l);
		if (i >= kept && !rect_empty(l->r))
			place_label(p, o, 0, l);
		if (!rect_empty(l->r))
			draw_label(p, &a[i], l);
	}
}

size_t
annotate(struct image *image, const struct annotation *a, size_t n,
    const struct annotate_style *style)
{
	struct page p = { .image = image, .line = style->line,
	    .text = style->text };
	uint64_t sides = (uint64_t)image->width + image->height;
	size_t seen = 0;
	struct rect o;

	if (p.line == 0)
		p.line = (unsigned)((sides + SHARE / 2) / SHARE);
	if (p.line == 0)
		p.line = 1;
	if (p.text == 0)
		p.text = (p.line + 1) / 3;
	if (p.text == 0)
		p.text = 1;
	for (size_t i = n; i-- > 0;) {
		o = outline(&p, &a[i]);
		if (rect_empty(o))
			continue;
		seen++;
		draw_fill(image, o, palette_colour(a[i].class), style->cover);
		draw_frame(image, o, p.line, palette_colour(a[i].class));
	}
	if (!style->no_labels)
		draw_labels(&p, a, n);
	return seen;
}
