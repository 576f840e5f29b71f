/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The world of the demo detector: eight kinds of things, drawn among clutter
 * and over one another.  The kinds have the names and numbers of COCO.
 */
#ifndef EMU_MODELS_THINGS_H
#define EMU_MODELS_THINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "paint.h"

enum {
	THINGS = 8,
	MOST_PARTS = 24,	/* outlines of a thing */
	MOST_OBJECTS = 8,	/* things in a scene */
	SCENE_HIDDEN = 30,	/* percent of an object's pixels, at most */
};

/* ---- Things: things.c ------------------------------------------------- */

extern const char *const thing_names[THINGS];
extern const uint8_t thing_ids[THINGS];		/* of COCO's 80 classes */

/* A thing as it is to be painted, the first part first. */
struct drawing {
	int n;
	struct outline part[MOST_PARTS];
	uint8_t rgb[MOST_PARTS][3];
};

/* One of the colours that clutter has, and things where any will do. */
void any_colour(struct rng *r, uint8_t rgb[3]);

/*
 * Chooses colours, turn and proportions of a thing, whose larger side is size,
 * in 1/UNIT pixels.  It lies at 0, 0: its box, x0, y0, x1, y1, begins there.
 */
void thing_choose(struct drawing *d, unsigned thing, struct rng *r, int size,
    int box[4]);
void drawing_move(struct drawing *d, int x, int y);

/* ---- Scenes: things_scene.c ------------------------------------------- */

struct object {
	unsigned thing;
	int box[4];		/* x0, y0, x1, y1, 1/UNIT pixels: all of it,
				   with what others hide */
	int pixels, hidden;	/* its pixels, and how many others cover */
};

struct scene_truth {
	int n;
	struct object object[MOST_OBJECTS];
	int clutter, noise;
	const char *background;
};

/* What kind of scenes: the defaults are those of the examination. */
struct scene_kind {
	int side;		/* pixels, a multiple of 32, to MOST_SIDE */
	int least, most;	/* objects' larger sides, pixels */
	int objects;		/* 1 to this many */
	bool train;		/* training's pictures occur nowhere else */
	bool bare;		/* plain ground, no clutter, no noise */
};

void things_draw(struct canvas *c, struct scene_truth *t,
    const struct scene_kind *k, uint32_t seed, uint32_t index);

#endif
