// SPDX-License-Identifier: Apache-2.0
/*
 * The appearance of the eight kinds of objects: tables of outlines, in
 * thousandths of half the object's size, and of each outline's possible
 * colours.
 */
#include <stdlib.h>
#include <string.h>

#include "objects.h"

const char *const thing_names[THINGS] = {
	"person", "bus", "boat", "traffic light", "stop sign", "umbrella",
	"donut", "clock",
};

const uint8_t thing_ids[THINGS] = { 0, 5, 8, 9, 11, 25, 54, 74 };

/* ---- Colours ---------------------------------------------------------- */

/* Materials.  FIRST and SECOND each have a random colour, chosen once for each
 * object; OTHER has a random colour chosen for each outline. */
enum material {
	FIRST, SECOND, OTHER, SKIN, DARK, WHITE, GLASS, WOOD, SIGN, RED, AMBER,
	GREEN, DOUGH, METAL, MATERIALS,
};

enum { SHADES = 10 };

static const struct {
	int n;
	uint8_t rgb[SHADES][3];
} materials[MATERIALS] = {
	[FIRST] = { 10, { { 214, 40, 40 }, { 40, 150, 60 }, { 40, 80, 200 },
	    { 235, 200, 40 }, { 240, 130, 30 }, { 140, 60, 170 },
	    { 235, 110, 170 }, { 40, 180, 190 }, { 130, 80, 40 },
	    { 200, 200, 205 } } },
	[SKIN] = { 4, { { 245, 205, 170 }, { 215, 165, 120 },
	    { 160, 105, 70 }, { 100, 65, 45 } } },
	[DARK] = { 3, { { 25, 25, 28 }, { 45, 45, 50 }, { 30, 35, 60 } } },
	[WHITE] = { 2, { { 245, 245, 245 }, { 235, 235, 225 } } },
	[GLASS] = { 3, { { 150, 200, 230 }, { 70, 95, 120 },
	    { 190, 215, 220 } } },
	[WOOD] = { 3, { { 120, 75, 40 }, { 85, 55, 35 }, { 60, 60, 65 } } },
	[SIGN] = { 2, { { 200, 25, 35 }, { 175, 20, 25 } } },
	[RED] = { 1, { { 250, 40, 35 } } },
	[AMBER] = { 1, { { 250, 190, 30 } } },
	[GREEN] = { 1, { { 40, 220, 110 } } },
	[DOUGH] = { 2, { { 215, 165, 100 }, { 190, 135, 75 } } },
	[METAL] = { 2, { { 170, 170, 175 }, { 120, 120, 125 } } },
};

static uint8_t
byte(int v)
{
	return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static void
material_colour(struct rng *r, enum material material, uint8_t rgb[3])
{
	enum material s = material < SKIN ? FIRST : material;
	uint32_t shade = rng_below(r, (uint32_t)materials[s].n);
	int light = rng_range(r, 200, 266);

	for (int i = 0; i < 3; i++)
		rgb[i] = byte((materials[s].rgb[shade][i] +
		    rng_range(r, -12, 12)) * light / 256);
}

void
any_colour(struct rng *r, uint8_t rgb[3])
{
	material_colour(r, OTHER, rgb);
}

/* Darkens half of the lamps, as if they were off. */
static void
dim(struct rng *r, uint8_t rgb[3])
{
	int light = rng_below(r, 2) ? 256 : rng_range(r, 110, 200);

	for (int i = 0; i < 3; i++)
		rgb[i] = (uint8_t)(rgb[i] * light / 256);
}

/* ---- Outlines --------------------------------------------------------- */

enum kind {
	NO_PART,
	POLYGON,	/* n corners x, y */
	DISC,		/* middle x, y and radius */
	RING,		/* as DISC, and the radius of the hole */
	HAND,		/* a polygon at a random angle of its own */
};

struct part {
	enum kind kind;
	enum material material;
	int n;
	int at[28];
};

#define BLOCK(material, x0, y0, x1, y1) \
	{ POLYGON, material, 4, { x0, y0, x1, y0, x1, y1, x0, y1 } }

static const struct part parts[THINGS][MOST_PARTS] = {
	{	/* person */
		BLOCK(SECOND, -240, 150, -30, 1000),
		BLOCK(SECOND, 30, 150, 240, 1000),
		{ POLYGON, SKIN, 4, { -420, 60, -520, 60, -560, 190,
		    -430, 190 } },
		{ POLYGON, SKIN, 4, { 420, 60, 520, 60, 560, 190, 430, 190 } },
		{ POLYGON, FIRST, 12, { -330, -540, 330, -540, 430, -440,
		    540, 90, 410, 110, 290, -320, 250, 230, -250, 230,
		    -290, -320, -410, 110, -540, 90, -430, -440 } },
		BLOCK(SKIN, -80, -620, 80, -520),
		{ DISC, SKIN, 0, { 0, -790, 210 } },
		{ POLYGON, WOOD, 6, { -215, -790, -170, -930, 0, -1010,
		    170, -930, 215, -790, 0, -860 } },
	},
	{	/* bus, from the side */
		{ POLYGON, FIRST, 6, { -960, -560, 900, -560, 1000, -440,
		    1000, 400, -1000, 400, -1000, -520 } },
		BLOCK(SECOND, -1000, 60, 1000, 150),
		BLOCK(GLASS, -900, -410, -560, -40),
		BLOCK(GLASS, -490, -410, -150, -40),
		BLOCK(GLASS, -80, -410, 260, -40),
		BLOCK(GLASS, 330, -410, 600, 330),
		{ POLYGON, GLASS, 4, { 690, -410, 900, -410, 970, -40,
		    690, -40 } },
		{ DISC, DARK, 0, { -560, 400, 200 } },
		{ DISC, DARK, 0, { 700, 400, 200 } },
		{ DISC, METAL, 0, { -560, 400, 90 } },
		{ DISC, METAL, 0, { 700, 400, 90 } },
		BLOCK(AMBER, 900, 200, 1000, 290),
	},
	{	/* boat with two sails */
		BLOCK(WOOD, -30, -1000, 30, 400),
		{ POLYGON, WHITE, 3, { 60, -950, 60, 250, 800, 250 } },
		{ POLYGON, SECOND, 3, { -60, -780, -60, 250, -640, 250 } },
		{ POLYGON, FIRST, 6, { -1000, 360, 1000, 360, 900, 560,
		    680, 820, -640, 820, -860, 600 } },
		{ POLYGON, WHITE, 4, { -1000, 360, 1000, 360, 970, 440,
		    -955, 440 } },
	},
	{	/* traffic light */
		BLOCK(DARK, -400, -1000, 400, 1000),
		{ DISC, RED, 0, { 0, -620, 265 } },
		{ DISC, AMBER, 0, { 0, 0, 265 } },
		{ DISC, GREEN, 0, { 0, 620, 265 } },
	},
	{	/* stop sign; white: four letters, simplified */
		{ POLYGON, WHITE, 8, { -414, -1000, 414, -1000, 1000, -414,
		    1000, 414, 414, 1000, -414, 1000, -1000, 414,
		    -1000, -414 } },
		{ POLYGON, SIGN, 8, { -368, -890, 368, -890, 890, -368,
		    890, 368, 368, 890, -368, 890, -890, 368,
		    -890, -368 } },
		{ POLYGON, WHITE, 12, { -720, -300, -440, -300, -440, -190,
		    -600, -190, -600, -50, -440, -50, -440, 300, -720, 300,
		    -720, 190, -560, 190, -560, 60, -720, 60 } },
		{ POLYGON, WHITE, 8, { -380, -300, -50, -300, -50, -180,
		    -155, -180, -155, 300, -275, 300, -275, -180,
		    -380, -180 } },
		{ POLYGON, WHITE, 10, { 20, -300, 330, -300, 330, 300, 20, 300,
		    20, -290, 130, -190, 130, 190, 220, 190, 220, -190,
		    130, -190 } },
		{ POLYGON, WHITE, 10, { 400, -300, 720, -300, 720, 70, 515, 70,
		    515, 300, 400, 300, 400, -290, 515, -190, 515, -40,
		    610, -40 } },
	},
	{	/* umbrella */
		BLOCK(DARK, -32, -1000, 32, 900),
		{ POLYGON, DARK, 8, { 32, 880, 0, 1000, -240, 1000, -300, 860,
		    -230, 840, -190, 930, -50, 930, -32, 860 } },
		{ POLYGON, FIRST, 13, { -1000, 0, -930, -370, -710, -680,
		    -380, -880, 0, -950, 380, -880, 710, -680, 930, -370,
		    1000, 0, 670, -110, 330, 0, -330, 0, -670, -110 } },
		{ POLYGON, SECOND, 7, { 0, -950, 210, -700, 310, -350, 330, 0,
		    -330, 0, -310, -350, -210, -700 } },
	},
	{	/* donut */
		{ RING, DOUGH, 0, { 0, 0, 1000, 340 } },
		{ RING, FIRST, 0, { 0, 0, 880, 430 } },
		{ DISC, OTHER, 0, { 640, 80, 75 } },
		{ DISC, OTHER, 0, { 380, 560, 75 } },
		{ DISC, OTHER, 0, { -160, 660, 75 } },
		{ DISC, OTHER, 0, { -620, 300, 75 } },
		{ DISC, OTHER, 0, { -620, -280, 75 } },
		{ DISC, OTHER, 0, { -120, -660, 75 } },
		{ DISC, OTHER, 0, { 440, -480, 75 } },
	},
	{	/* clock */
		{ DISC, FIRST, 0, { 0, 0, 1000 } },
		{ DISC, WHITE, 0, { 0, 0, 840 } },
		BLOCK(DARK, -50, -800, 50, -620),
		BLOCK(DARK, -50, 620, 50, 800),
		BLOCK(DARK, -800, -50, -620, 50),
		BLOCK(DARK, 620, -50, 800, 50),
		{ HAND, DARK, 4, { -45, 100, 45, 100, 30, -640, -30, -640 } },
		{ HAND, DARK, 4, { -60, 100, 60, 100, 45, -430, -45, -430 } },
		{ DISC, DARK, 0, { 0, 0, 90 } },
	},
};

/* The largest rotation of an object to either side, in 64ths of a circle, and
 * its largest stretch, in 256ths. */
static const struct {
	int turn, stretch;
} freedom[THINGS] = {
	{ 2, 40 }, { 2, 50 }, { 3, 40 }, { 3, 40 }, { 2, 10 }, { 6, 30 },
	{ 32, 25 }, { 3, 15 },
};

/* ---- Making one ------------------------------------------------------- */

enum { ROUND = 32, FINE = 4 };	/* corners of a circle; parts of a unit */

struct pose {
	int turn;
	int width, height;	/* 256ths */
};

static void
add_corner(struct outline *o, int x, int y)
{
	o->x[o->n] = x * FINE;
	o->y[o->n++] = y * FINE;
}

/* Adds a circle.  direction: 1, or -1 for a hole, which begins at the same
 * angle. */
static void
add_circle(struct outline *o, const int at[3], int direction)
{
	int t;

	for (int i = 0; i <= ROUND; i++) {
		t = direction * i * 64 / ROUND;
		add_corner(o, at[0] + at[2] * sine(t + 16) / ONE,
		    at[1] + at[2] * sine(t) / ONE);
	}
}

static void
turn_all(struct outline *o, int turn)
{
	int s = sine(turn), c = sine(turn + 16), x;

	for (int i = 0; i < o->n; i++) {
		x = o->x[i];
		o->x[i] = (x * c - o->y[i] * s) / ONE;
		o->y[i] = (x * s + o->y[i] * c) / ONE;
	}
}

static void
make_part(struct outline *o, const struct part *p, const struct pose *pose,
    struct rng *r)
{
	const int hole[3] = { p->at[0], p->at[1], p->at[3] };

	*o = (struct outline){ 0 };
	for (int i = 0; i < p->n; i++)
		add_corner(o, p->at[2 * i], p->at[2 * i + 1]);
	if (p->kind == DISC || p->kind == RING)
		add_circle(o, p->at, 1);
	if (p->kind == RING)
		add_circle(o, hole, -1);
	if (p->kind == HAND)
		turn_all(o, rng_range(r, 0, 63));
	for (int i = 0; i < o->n; i++) {
		o->x[i] = o->x[i] * pose->width / 256;
		o->y[i] = o->y[i] * pose->height / 256;
	}
	turn_all(o, pose->turn);
}

static void
bounds(const struct drawing *d, int box[4])
{
	int b[4];

	outline_box(&d->part[0], box);
	for (int i = 1; i < d->n; i++) {
		outline_box(&d->part[i], b);
		box[0] = b[0] < box[0] ? b[0] : box[0];
		box[1] = b[1] < box[1] ? b[1] : box[1];
		box[2] = b[2] > box[2] ? b[2] : box[2];
		box[3] = b[3] > box[3] ? b[3] : box[3];
	}
}

static void
scale_to(struct drawing *d, int size)
{
	int box[4], extent;
	struct outline *o;

	bounds(d, box);
	extent = box[2] - box[0] > box[3] - box[1] ? box[2] - box[0] :
	    box[3] - box[1];
	for (int k = 0; k < d->n; k++) {
		o = &d->part[k];
		for (int i = 0; i < o->n; i++) {
			o->x[i] = (o->x[i] - box[0]) * size / extent;
			o->y[i] = (o->y[i] - box[1]) * size / extent;
		}
	}
}

void
thing_choose(struct drawing *d, unsigned thing, struct rng *r, int size,
    int box[4])
{
	int stretch = freedom[thing].stretch, turn = freedom[thing].turn;
	const struct part *p = parts[thing];
	uint8_t first[3], second[3];
	struct pose pose;

	pose.turn = rng_range(r, -turn, turn);
	pose.width = 256 + rng_range(r, -stretch, stretch);
	pose.height = 256 + rng_range(r, -stretch, stretch);
	material_colour(r, FIRST, first);
	material_colour(r, SECOND, second);
	for (d->n = 0; d->n < MOST_PARTS && p->kind != NO_PART; d->n++, p++) {
		make_part(&d->part[d->n], p, &pose, r);
		material_colour(r, p->material, d->rgb[d->n]);
		if (p->material == RED || p->material == AMBER ||
		    p->material == GREEN)
			dim(r, d->rgb[d->n]);
		if (p->material == FIRST || p->material == SECOND)
			memcpy(d->rgb[d->n], p->material == FIRST ? first :
			    second, 3);
	}
	scale_to(d, size);
	bounds(d, box);
}

void
drawing_move(struct drawing *d, int x, int y)
{
	for (int k = 0; k < d->n; k++) {
		for (int i = 0; i < d->part[k].n; i++) {
			d->part[k].x[i] += x;
			d->part[k].y[i] += y;
		}
	}
}
