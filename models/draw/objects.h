/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pictures of the demonstration detector: objects of eight kinds, drawn
 * among clutter, which may overlap.  The kinds have COCO's names and numbers.
 */
#ifndef MODELS_DRAW_OBJECTS_H
#define MODELS_DRAW_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "paint.h"

enum {
	THINGS = 8,
	MOST_PARTS = 24,	/* outlines of a thing */
	MOST_OBJECTS = 8,	/* things in a scene */
	SCENE_HIDDEN = 30,	/* percent of an object's pixels, at most */
};

/* ---- Things: objects.c ------------------------------------------------- */

extern const char *const thing_names[THINGS];
extern const uint8_t thing_ids[THINGS];		/* of COCO's 80 classes */

/* An object, as parts in the order of painting. */
struct drawing {
	int n;
	struct outline part[MOST_PARTS];
	uint8_t rgb[MOST_PARTS][3];
};

/* Chooses a random colour, for clutter and for parts without a given colour. */
void any_colour(struct rng *r, uint8_t rgb[3]);

/*
 * Chooses colours, rotation and proportions of an object whose larger side is
 * size, in 1/UNIT pixels.  Stores its bounding box x0, y0, x1, y1, which begins
 * at 0, 0, in box.
 */
void thing_choose(struct drawing *d, unsigned thing, struct rng *r, int size,
    int box[4]);
void drawing_move(struct drawing *d, int x, int y);

/* ---- Scenes: objects_scene.c ------------------------------------------- */

struct object {
	unsigned thing;
	int box[4];		/* x0, y0, x1, y1, 1/UNIT pixels, including
				   hidden parts */
	int pixels, hidden;	/* its pixels; how many are hidden */
};

struct scene_truth {
	int n;
	struct object object[MOST_OBJECTS];
	int clutter, noise;
	const char *background;
};

/* The kind of scenes.  The defaults of draw-scenes are for evaluation. */
struct scene_kind {
	int side;		/* pixels, a multiple of 32, to MOST_SIDE */
	int least, most;	/* larger side of an object, pixels */
	int objects;		/* 1 to this many */
	bool train;		/* of the training split only */
	bool bare;		/* plain ground, no clutter, no noise */
};

void things_draw(struct canvas *c, struct scene_truth *t,
    const struct scene_kind *k, uint32_t seed, uint32_t index);

#endif
