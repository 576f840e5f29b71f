// SPDX-License-Identifier: Apache-2.0
/*
 * Composes one picture: a background, clutter, the object, more clutter over
 * the object, noise.  The caption names the object, which is the largest shape
 * and at least three quarters visible.
 */
#include <stdlib.h>
#include <string.h>

#include "scene.h"

struct scene {
	struct rng rng;
	struct canvas *canvas;
	struct truth *truth;
	struct mask object, piece;
	uint8_t touched[SIDE][SIDE];	/* pixels touched by clutter in front */
	uint8_t hides[SIDE][SIDE];	/* pixels it hides at least by half */
};

static uint8_t
byte(int v)
{
	return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

/* ---- Colours ---------------------------------------------------------- */

/* A variant of the named colour: each channel up to 15 levels off, brightness
 * 80 to 100 %. */
static void
named_colour(struct rng *r, unsigned colour, uint8_t rgb[3])
{
	int light = rng_range(r, 205, 256);

	for (int i = 0; i < 3; i++)
		rgb[i] = byte((colour_rgb[colour][i] +
		    rng_range(r, -15, 15)) * light / 256);
}

/* A grey with a slight tint. */
static void
grey(struct rng *r, int level, uint8_t rgb[3])
{
	for (int i = 0; i < 3; i++)
		rgb[i] = byte(level + rng_range(r, -12, 12));
}

static void
clutter_colour(struct rng *r, uint8_t rgb[3])
{
	if (rng_below(r, 2))
		named_colour(r, rng_below(r, COLOURS), rgb);
	else
		grey(r, rng_range(r, 10, 245), rgb);
}

/* ---- Backgrounds ------------------------------------------------------ */

static void
draw_background(struct scene *s)
{
	struct ground g;
	uint8_t a[3], b[3];
	int level = rng_range(&s->rng, 30, 225);

	ground_choose(&g, &s->rng, 40);
	grey(&s->rng, level, a);
	grey(&s->rng, level + rng_range(&s->rng, -45, 45), b);
	s->truth->background = ground_names[g.kind];
	ground_paint(&g, s->canvas, a, b);
}

/* ---- Clutter ---------------------------------------------------------- */

/*
 * Makes a line, a dot or a small shape of any colour.  A dot or shape is at
 * most 40 % as wide as the object, which makes clear which shape is the
 * object.  A line is at most a twelfth as thick as the object is wide, and a
 * few lines leave the object's outline recognisable.
 */
static void
any_piece(struct scene *s, struct outline *o, int cx, int cy)
{
	struct rng *r = &s->rng;
	int most = s->truth->size * 2 / 5, turn = rng_range(r, 0, 63), size;

	/* One random number per statement: C does not order arguments. */
	switch (rng_below(r, 5)) {
	case 0: case 1:
		size = rng_range(r, UNIT, s->truth->size < 36 * UNIT ?
		    s->truth->size / 12 : 3 * UNIT);
		outline_bar(o, turn, rng_range(r, 20 * UNIT, 200 * UNIT), size,
		    cx, cy);
		break;
	case 2: case 3:
		outline_disc(o, rng_range(r, UNIT, most / 2 < 5 * UNIT ?
		    most / 2 : 5 * UNIT), cx, cy);
		break;
	default:
		size = rng_range(r, 5 * UNIT, most);
		outline_shape(o, rng_below(r, SHAPES), turn, size, cx, cy);
	}
}

static void
draw_behind(struct scene *s)
{
	struct outline o;
	uint8_t rgb[3];
	int y;

	for (int n = rng_range(&s->rng, 3, 14); n > 0; n--) {
		y = rng_range(&s->rng, 0, SIDE * UNIT);
		any_piece(s, &o, rng_range(&s->rng, 0, SIDE * UNIT), y);
		clutter_colour(&s->rng, rgb);
		mask_fill(&s->piece, &o, SIDE);
		canvas_blend(s->canvas, &s->piece, rgb);
		s->truth->clutter++;
	}
}

/* Returns how many of the object's pixels are hidden after painting
 * s->piece. */
static int
hidden_with_piece(const struct scene *s)
{
	int n = 0;

	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++)
			n += s->object.cover[y][x] >= COVERED / 2 &&
			    (s->hides[y][x] ||
			    s->piece.cover[y][x] >= COVERED / 2);
	return n;
}

static void
mark_piece(struct scene *s)
{
	for (int y = 0; y < SIDE; y++) {
		for (int x = 0; x < SIDE; x++) {
			s->touched[y][x] |= s->piece.cover[y][x] > 0;
			s->hides[y][x] |= s->piece.cover[y][x] >= COVERED / 2;
		}
	}
}

/* Draws pieces over the object, except pieces that would hide too much. */
static void
draw_in_front(struct scene *s)
{
	struct truth *t = s->truth;
	struct outline o;
	uint8_t rgb[3];
	int n, y;

	for (int tries = rng_range(&s->rng, 3, 6); tries > 0; tries--) {
		y = rng_range(&s->rng, t->box[1], t->box[3]);
		any_piece(s, &o, rng_range(&s->rng, t->box[0], t->box[2]), y);
		clutter_colour(&s->rng, rgb);
		mask_fill(&s->piece, &o, SIDE);
		n = hidden_with_piece(s);
		if (n * 100 > t->pixels * MOST_HIDDEN)
			continue;
		t->hidden = n;
		canvas_blend(s->canvas, &s->piece, rgb);
		mark_piece(s);
		t->clutter++;
	}
}

/* ---- The object ------------------------------------------------------- */

static unsigned
choose_class(struct rng *r, enum split split)
{
	unsigned class;

	do {
		class = rng_below(r, CLASSES);
	} while (!class_in_split(class, split));
	return class;
}

/* Called before anything is painted: the clutter's size depends on the
 * object's. */
static void
place_object(struct scene *s, struct outline *o, enum split split)
{
	struct truth *t = s->truth;
	int turn = rng_range(&s->rng, 0, 63), half, y;

	/* Small objects are harder: training sees them more often. */
	t->size = rng_range(&s->rng, LEAST_SIZE, split == SPLIT_TRAIN &&
	    rng_below(&s->rng, 2) ? MOST_SIZE / 3 : MOST_SIZE);
	half = t->size / 2 + 1;
	y = rng_range(&s->rng, half, SIDE * UNIT - half);
	outline_shape(o, t->class % SHAPES, turn, t->size,
	    rng_range(&s->rng, half, SIDE * UNIT - half), y);
	outline_box(o, t->box);
	named_colour(&s->rng, t->class / SHAPES, t->rgb);
}

static void
draw_object(struct scene *s, const struct outline *o)
{
	mask_fill(&s->object, o, SIDE);
	canvas_blend(s->canvas, &s->object, s->truth->rgb);
	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++)
			s->truth->pixels +=
			    s->object.cover[y][x] >= COVERED / 2;
}

/* Finds the pixel nearest to the box's centre that shows only the object. */
static void
find_point(struct scene *s)
{
	struct truth *t = s->truth;
	int mx = (t->box[0] + t->box[2]) / (2 * UNIT), best = 2 * SIDE * SIDE;
	int my = (t->box[1] + t->box[3]) / (2 * UNIT), far;

	t->point[0] = t->point[1] = -1;
	for (int y = 0; y < SIDE; y++) {
		for (int x = 0; x < SIDE; x++) {
			far = (x - mx) * (x - mx) + (y - my) * (y - my);
			if (far >= best || s->touched[y][x] ||
			    s->object.cover[y][x] < COVERED)
				continue;
			best = far;
			t->point[0] = x;
			t->point[1] = y;
		}
	}
}

void
scene_draw(struct canvas *c, struct truth *t, enum split split, uint32_t seed,
    uint32_t index, int class)
{
	struct scene s = { .canvas = c, .truth = t };
	struct outline object;

	s.rng.state = (uint64_t)seed << 32 | index;
	s.rng.state = rng_next(&s.rng) + (uint64_t)split;
	memset(t, 0, sizeof(*t));
	c->side = SIDE;
	t->class = choose_class(&s.rng, split);
	if (class >= 0)
		t->class = (unsigned)class;
	place_object(&s, &object, split);
	draw_background(&s);
	draw_behind(&s);
	draw_object(&s, &object);
	draw_in_front(&s);
	find_point(&s);
	t->noise = rng_range(&s.rng, 0, 8);
	canvas_noise(c, &s.rng, t->noise);
}
