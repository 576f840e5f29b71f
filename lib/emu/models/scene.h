/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The world of the demo models: coloured shapes among clutter.  One program,
 * draw-shapes, draws it for training, evaluation, tests and the demo, and
 * writes the captions, so that text and picture agree.
 *
 * Integer arithmetic only: a seed gives the same bytes on every machine.
 */
#ifndef EMU_MODELS_SCENE_H
#define EMU_MODELS_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "paint.h"

enum {
	COLOURS = 8,
	SHAPES = PLAIN_SHAPES,
	CLASSES = COLOURS * SHAPES,	/* class = colour * SHAPES + shape */
	TEMPLATES = 10,
	SIDE = 224,			/* pixels, CLIP's input */
	LEAST_SIZE = (SIDE * UNIT + 9) / 10,	/* 10 % of the side ... */
	MOST_SIZE = SIDE * UNIT * 8 / 10,	/* ... to 80 % */
	MOST_HIDDEN = 25,		/* percent of the object's pixels */
};

/* ---- Words: words.c --------------------------------------------------- */

extern const char *const colour_names[COLOURS];
extern const char *const shape_names[SHAPES];
extern const uint8_t colour_rgb[COLOURS][3];

/* The one place that says what training never sees. */
bool class_held_out(unsigned class);		/* 12 of 48 */
bool template_held_out(unsigned template);	/* 2 of 10 */

enum split { SPLIT_ALL, SPLIT_TRAIN, SPLIT_HELDOUT };

bool class_in_split(unsigned class, enum split split);

/* "a photo of a red circle": template (below TEMPLATES) of class. */
void caption(unsigned template, unsigned class, char *s, size_t n);

/* ---- Scenes: scene.c -------------------------------------------------- */

/* What is true of a picture. */
struct truth {
	unsigned class;
	int size;		/* of the object, 1/UNIT pixels */
	int box[4];		/* x0, y0, x1, y1, 1/UNIT pixels */
	uint8_t rgb[3];		/* the object's, before noise */
	int noise;		/* most that a channel was changed by */
	int point[2];		/* x, y: a pixel that shows the object alone;
				   -1, -1 when clutter touches every one */
	int hidden;		/* pixels of the object under clutter ... */
	int pixels;		/* ... of this many */
	int clutter;		/* pieces, behind and in front */
	const char *background;
};

/*
 * Picture number index of seed.  The split takes part in the random state, so
 * pictures of one split never occur in another.  class < 0: any class of the
 * split.
 */
void scene_draw(struct canvas *c, struct truth *t, enum split split,
    uint32_t seed, uint32_t index, int class);

#endif
