/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pictures of the demonstration CLIP models: coloured shapes among clutter.
 * One program, draw-shapes, draws the pictures for training, evaluation, tests
 * and the demonstration, and writes the captions; therefore text and picture
 * agree.
 *
 * The code uses integer arithmetic only: a seed gives the same bytes on every
 * machine.
 */
#ifndef MODELS_DRAW_SCENE_H
#define MODELS_DRAW_SCENE_H

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

/* ---- Classes and captions: captions.c --------------------------------- */

extern const char *const colour_names[COLOURS];
extern const char *const shape_names[SHAPES];
extern const uint8_t colour_rgb[COLOURS][3];

/* The only definition of the classes and captions held out from training. */
bool class_held_out(unsigned class);		/* 12 of 48 */
bool template_held_out(unsigned template);	/* 2 of 10 */

enum split { SPLIT_ALL, SPLIT_TRAIN, SPLIT_HELDOUT };

bool class_in_split(unsigned class, enum split split);

/* Writes a caption of class, such as "a photo of a red circle"; template: below
 * TEMPLATES. */
void caption(unsigned template, unsigned class, char *s, size_t n);

/* ---- Scenes: scene.c -------------------------------------------------- */

/* The ground truth of a picture. */
struct truth {
	unsigned class;
	int size;		/* of the object, 1/UNIT pixels */
	int box[4];		/* x0, y0, x1, y1, 1/UNIT pixels */
	uint8_t rgb[3];		/* the object's, before noise */
	int noise;		/* largest change of a channel */
	int point[2];		/* x, y: a pixel that shows only the object;
				   -1, -1 if clutter touches all */
	int hidden;		/* pixels of the object under clutter ... */
	int pixels;		/* ... of this many */
	int clutter;		/* pieces, behind and in front */
	const char *background;
};

/*
 * Draws picture number index of seed.  The random state depends on the split;
 * therefore no picture of one split occurs in another split.  class < 0: any
 * class of the split.
 */
void scene_draw(struct canvas *c, struct truth *t, enum split split,
    uint32_t seed, uint32_t index, int class);

#endif
