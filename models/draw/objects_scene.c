// SPDX-License-Identifier: Apache-2.0
/*
 * Composes one scene: a background, clutter, objects that may overlap, clutter
 * over the objects, noise.  What is painted later hides at most SCENE_HIDDEN
 * percent of an object.  An object that would hide more is drawn again
 * elsewhere, and omitted after TRIES tries; clutter that would hide more is
 * omitted at once.
 */
#include <string.h>

#include "objects.h"

enum { TRIES = 12, CLUTTER = MOST_OBJECTS + 1 };

struct things_scene {
	struct rng rng;
	struct canvas *canvas;
	struct scene_truth *truth;
	const struct scene_kind *kind;
	struct mask piece;
	struct drawing drawing;
	/* The object at each pixel: k + 1 for object k, 0 for none. */
	uint8_t owner[MOST_SIDE][MOST_SIDE];
	uint8_t marked[MOST_SIDE][MOST_SIDE];	/* pixels to paint */
};

static int
random_in(struct things_scene *s, int least, int most)
{
	return most > least ? rng_range(&s->rng, least, most) : least;
}

/* ---- Hidden pixels ---------------------------------------------------- */

static void
mark_part(struct things_scene *s, const struct outline *o)
{
	struct mask *m = &s->piece;

	mask_fill(m, o, s->kind->side);
	for (int y = m->y0; y < m->y1; y++)
		for (int x = m->x0; x < m->x1; x++)
			s->marked[y][x] |= m->cover[y][x] >= COVERED / 2;
}

/* Stores the part of box that is on the canvas in p, in pixels. */
static void
pixels_of(const struct things_scene *s, const int box[4], int p[4])
{
	for (int i = 0; i < 4; i++) {
		p[i] = box[i] / UNIT + (i < 2 ? -1 : 2);
		p[i] = p[i] < 0 ? 0 : p[i];
		p[i] = p[i] > s->kind->side ? s->kind->side : p[i];
	}
}

/* Returns whether each object stays visible enough if s->marked, which lies
 * within box, is painted.  If so, these pixels become owner's.  Clears
 * s->marked. */
static bool
claim_pixels(struct things_scene *s, const int box[4], uint8_t owner)
{
	int hides[MOST_OBJECTS + 1] = { 0 }, p[4];
	struct object *o;
	bool may = true;

	pixels_of(s, box, p);
	for (int y = p[1]; y < p[3]; y++)
		for (int x = p[0]; x < p[2]; x++)
			hides[s->owner[y][x]] += s->marked[y][x];
	for (int k = 0; k < s->truth->n; k++) {
		o = &s->truth->object[k];
		may = may && (o->hidden + hides[k + 1]) * 100 <=
		    o->pixels * SCENE_HIDDEN;
	}
	for (int k = 0; may && k < s->truth->n; k++)
		s->truth->object[k].hidden += hides[k + 1];
	for (int y = p[1]; y < p[3]; y++) {
		for (int x = p[0]; x < p[2]; x++) {
			if (may && s->marked[y][x])
				s->owner[y][x] = owner;
			s->marked[y][x] = 0;
		}
	}
	return may;
}

/* ---- Clutter ---------------------------------------------------------- */

static void
clutter_colour(struct rng *r, uint8_t rgb[3])
{
	int level = rng_range(r, 5, 250);

	any_colour(r, rgb);
	for (int i = 0; i < 3 && level % 2 == 0; i++)
		rgb[i] = (uint8_t)level;
}

/* Makes a polygon with corners at random distances in all directions. */
static void
any_polygon(struct things_scene *s, struct outline *o, int size, int cx, int cy)
{
	int turn, far;

	*o = (struct outline){ .n = rng_range(&s->rng, 3, 7) };
	for (int i = 0; i < o->n; i++) {
		turn = i * 64 / o->n + rng_range(&s->rng, 0, 7);
		far = rng_range(&s->rng, size / 4, size) / 2;
		o->x[i] = cx + far * sine(turn + 16) / ONE;
		o->y[i] = cy + far * sine(turn) / ONE;
	}
}

/* Makes a line, a disc, a polygon or a plain shape except a ring. */
static void
any_piece(struct things_scene *s, struct outline *o, int most)
{
	int cx = rng_range(&s->rng, 0, s->kind->side * UNIT);
	int cy = rng_range(&s->rng, 0, s->kind->side * UNIT);
	int turn = rng_range(&s->rng, 0, 63), length, size;

	size = rng_range(&s->rng, 6 * UNIT, most);
	switch (rng_below(&s->rng, 6)) {
	case 0: case 1:
		length = rng_range(&s->rng, 20 * UNIT, most * 3);
		outline_bar(o, turn, length, rng_range(&s->rng, UNIT,
		    most / 10 + UNIT), cx, cy);
		break;
	case 2:
		outline_disc(o, size / 2, cx, cy);
		break;
	case 3: case 4:
		any_polygon(s, o, size, cx, cy);
		break;
	default:
		outline_shape(o, rng_below(&s->rng, PLAIN_SHAPES - 1), turn,
		    size, cx, cy);
	}
}

static void
draw_clutter(struct things_scene *s, int pieces, int most)
{
	struct outline o;
	uint8_t rgb[3];
	int box[4];

	for (; !s->kind->bare && pieces > 0; pieces--) {
		any_piece(s, &o, most);
		clutter_colour(&s->rng, rgb);
		outline_box(&o, box);
		mark_part(s, &o);
		if (!claim_pixels(s, box, 0))
			continue;
		canvas_blend(s->canvas, &s->piece, rgb);
		s->truth->clutter++;
	}
}

/* ---- Things ----------------------------------------------------------- */

static void
draw_thing(struct things_scene *s)
{
	struct scene_truth *t = s->truth;
	struct object *o = &t->object[t->n++];
	int p[4];

	o->hidden = o->pixels = 0;
	pixels_of(s, o->box, p);
	for (int y = p[1]; y < p[3]; y++)
		for (int x = p[0]; x < p[2]; x++)
			o->pixels += s->owner[y][x] == t->n;
	for (int i = 0; i < s->drawing.n; i++) {
		mask_fill(&s->piece, &s->drawing.part[i], s->kind->side);
		canvas_blend(s->canvas, &s->piece, s->drawing.rgb[i]);
	}
}

/* Returns a random size.  Each doubling from kind->least is equally likely,
 * except the last, which kind->most limits.  Within a doubling, all sizes are
 * equally likely. */
static int
any_size(struct things_scene *s)
{
	int low = s->kind->least * UNIT, size, doublings = 0;

	while (low << (doublings + 1) <= s->kind->most * UNIT)
		doublings++;
	do {
		size = low << rng_below(&s->rng, (uint32_t)doublings + 1);
		size += (int)rng_below(&s->rng, (uint32_t)size);
	} while (size > s->kind->most * UNIT);
	return size;
}

static void
add_thing(struct things_scene *s)
{
	struct object *o = &s->truth->object[s->truth->n];
	int edge = s->kind->side * UNIT, x, y, box[4];

	o->thing = rng_below(&s->rng, THINGS);
	for (int tries = TRIES; tries > 0; tries--) {
		thing_choose(&s->drawing, o->thing, &s->rng, any_size(s), box);
		x = random_in(s, 0, edge - box[2]);
		y = random_in(s, 0, edge - box[3]);
		drawing_move(&s->drawing, x, y);
		for (int i = 0; i < 4; i++)
			o->box[i] = box[i] + (i % 2 == 0 ? x : y);
		for (int i = 0; i < s->drawing.n; i++)
			mark_part(s, &s->drawing.part[i]);
		if (claim_pixels(s, o->box, (uint8_t)(s->truth->n + 1))) {
			draw_thing(s);
			return;
		}
	}
}

/* ---- The scene -------------------------------------------------------- */

static void
draw_background(struct things_scene *s)
{
	struct ground g;
	uint8_t a[3], b[3];

	ground_choose(&g, &s->rng, 100);
	if (s->kind->bare)
		g.kind = 0;
	clutter_colour(&s->rng, a);
	clutter_colour(&s->rng, b);
	/* Half of these backgrounds have little contrast. */
	for (int i = 0; i < 3 && g.pitch % 2 == 0; i++)
		b[i] = (uint8_t)((a[i] * 3 + b[i]) / 4);
	s->truth->background = ground_names[g.kind];
	ground_paint(&g, s->canvas, a, b);
}

void
things_draw(struct canvas *c, struct scene_truth *t,
    const struct scene_kind *k, uint32_t seed, uint32_t index)
{
	static _Thread_local struct things_scene s;
	int side = k->side, area;

	s.rng.state = (uint64_t)seed << 32 | index;
	s.rng.state = rng_next(&s.rng) + (uint64_t)k->train;
	s.canvas = c;
	s.truth = t;
	s.kind = k;
	c->side = side;
	memset(t, 0, sizeof(*t));
	memset(s.owner, 0, sizeof(s.owner));
	draw_background(&s);
	/* Clutter is as dense as on a canvas of 640 pixels. */
	area = 256 * side / 640 * side / 640;
	draw_clutter(&s, rng_range(&s.rng, 4, 24) * area / 256 + 1,
	    side * UNIT / 4);
	for (int n = rng_range(&s.rng, 1, k->objects); n > 0; n--)
		add_thing(&s);
	draw_clutter(&s, rng_range(&s.rng, 0, 12) * area / 256,
	    side * UNIT / 12);
	t->noise = k->bare ? 0 : rng_range(&s.rng, 0, 10);
	canvas_noise(c, &s.rng, t->noise);
}
