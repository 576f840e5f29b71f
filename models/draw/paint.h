/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random numbers, outlines, antialiased filling and backgrounds.  Integer
 * arithmetic only: a seed gives the same bytes on every machine.
 */
#ifndef MODELS_DRAW_PAINT_H
#define MODELS_DRAW_PAINT_H

#include <stdint.h>

enum {
	MOST_SIDE = 640,		/* pixels, of a canvas */
	UNIT = 16,			/* outline coordinates in a pixel */
	COVERED = 64,			/* coverage of a pixel inside */
	MOST_CORNERS = 72,
	PLAIN_SHAPES = 6,
	ONE = 4096,			/* sine() of 90 degrees */
};

/* ---- Random numbers: splitmix64 --------------------------------------- */

struct rng {
	uint64_t state;
};

uint64_t rng_next(struct rng *r);
uint32_t rng_below(struct rng *r, uint32_t n);		/* 0 .. n-1 */
int rng_range(struct rng *r, int least, int most);	/* both included */

/* ---- Outlines --------------------------------------------------------- */

/* sin(2 pi turn / 64) * ONE */
int sine(int turn);

/*
 * An outline in 1/UNIT pixels, y down: a polygon of n corners or, if n is 0, a
 * circle of radius r with a round hole of radius hole.
 */
struct outline {
	int n;
	int x[MOST_CORNERS], y[MOST_CORNERS];
	int cx, cy, r, hole;
};

/* Makes the outline of shape 0 to 5: circle, square, triangle, star, cross,
 * ring, rotated by turn/64 of a circle.  The larger side of its bounding box is
 * size, and the centre of the box is cx, cy. */
void outline_shape(struct outline *o, unsigned shape, int turn, int size,
    int cx, int cy);
/* Makes the outline of a bar. */
void outline_bar(struct outline *o, int turn, int length, int width, int cx,
    int cy);
void outline_disc(struct outline *o, int r, int cx, int cy);
/* Stores x0, y0, x1, y1 in box. */
void outline_box(const struct outline *o, int box[4]);

/* ---- Canvas ----------------------------------------------------------- */

struct canvas {
	int side;			/* pixels, to MOST_SIDE */
	uint8_t rgb[3 * MOST_SIDE * MOST_SIDE];	/* rows of side pixels */
};

static inline uint8_t *
canvas_at(struct canvas *c, int x, int y)
{
	return c->rgb + 3 * (y * c->side + x);
}

/* How much an outline covers each pixel; zero outside of x0, y0, x1, y1. */
struct mask {
	int x0, y0, x1, y1;		/* pixels; the last two excluded */
	uint8_t cover[MOST_SIDE][MOST_SIDE];	/* 0 to COVERED */
};

/* m must be zeroed, or filled by an earlier call. */
void mask_fill(struct mask *m, const struct outline *o, int side);
void canvas_blend(struct canvas *c, const struct mask *m,
    const uint8_t rgb[3]);

/* Adds a random number from -most to most to each channel. */
void canvas_noise(struct canvas *c, struct rng *r, int most);

/* ---- Backgrounds ------------------------------------------------------ */

enum { GROUNDS = 5, PATCHES = 9 };

extern const char *const ground_names[GROUNDS];

/* How a canvas is filled with mixtures of two colours. */
struct ground {
	unsigned kind;
	int dx, dy;		/* direction, -8 to 8 */
	int pitch;		/* pixels of a stripe or check */
	int patch[PATCHES][PATCHES];	/* shares at corners, 0 to 256 */
};

void ground_choose(struct ground *g, struct rng *r, int most_pitch);
void ground_paint(const struct ground *g, struct canvas *c,
    const uint8_t a[3], const uint8_t b[3]);

#endif
