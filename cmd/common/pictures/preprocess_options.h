/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be made of pictures, as the command line and the model say it. */
#ifndef CMD_PICTURES_PREPROCESS_OPTIONS_H
#define CMD_PICTURES_PREPROCESS_OPTIONS_H

#include "tensors/tensor_options.h"
#include "vision/prep.h"

enum {
	RECIPE_DIVISOR = 360, RECIPE_FILTER, RECIPE_FIT, RECIPE_FOR,
	RECIPE_LAYOUT, RECIPE_MEAN, RECIPE_ORDER, RECIPE_PAD, RECIPE_SHORTER,
	RECIPE_SIZE, RECIPE_STD,
};

/* Rows of a program's options, beside -t -s -z and -m. */
#define RECIPE_FOR_OPTION \
	ONE_OF(RECIPE_FOR, "for", "=WHAT", recipe_presets, \
	    "clip, yolo, imagenet; hub-clip, hub-yolo: as the vendor's model " \
	    "hub does (default: what the model's range tells)")
#define RECIPE_OPTIONS \
	TAKES(RECIPE_SIZE, "size", "=WxH", COMPLETE_NONE, \
	    "pixels of the input"), \
	ONE_OF(RECIPE_FIT, "fit", "=HOW", recipe_fits, \
	    "crop, stretch or letterbox"), \
	TAKES(RECIPE_SHORTER, "shorter", "=N", COMPLETE_NONE, \
	    "crop: the shorter side before (the input's)"), \
	TAKES(RECIPE_PAD, "pad", "=N[,N,N]", COMPLETE_NONE, \
	    "letterbox: the colour around (114)"), \
	ONE_OF(RECIPE_FILTER, "filter", "=NAME", recipe_filters, \
	    "bicubic, bilinear or box"), \
	ONE_OF(RECIPE_ORDER, "order", "=ORDER", recipe_orders, \
	    "rgb (default) or bgr"), \
	TAKES(RECIPE_DIVISOR, "divisor", "=N", COMPLETE_NONE, \
	    "x = (v / N - mean) / std (255)"), \
	TAKES(RECIPE_MEAN, "mean", "=N[,N,N]", COMPLETE_NONE, \
	    "one, or of red, green, blue (0)"), \
	TAKES(RECIPE_STD, "std", "=N[,N,N]", COMPLETE_NONE, "likewise (1)"), \
	ONE_OF(RECIPE_LAYOUT, "layout", "=LAYOUT", recipe_layouts, \
	    "chw (default) or hwc")

/* What was said; zeroed before the first option. */
struct recipe {
	const char *model;		/* -m, as it was said */
	const char *preset;		/* --for; that in force after
					   recipe_take() */
	bool guessed;			/* the model's range told the preset */
	bool model_alone;		/* the program has no option for what
					   the model does not tell */
	bool has[RECIPE_STD - RECIPE_DIVISOR + 1];
	struct prep_recipe said;	/* where has is true */
	struct tensor_options tensor;		/* -t -s -z */
};

/* Takes an option of RECIPE_OPTIONS or TENSOR_OPTIONS; false if it is none. */
bool recipe_option(struct recipe *c, int opt, const char *arg);

/*
 * The whole recipe, from --for, the single options and the model, which is
 * asked for type, scale, zero point, size and layout; what cannot be is a usage
 * error that says what would do.
 */
void recipe_take(struct recipe *c, struct prep_recipe *r);

/* A note where the tensor cannot hold what pixels become, by more than a step
 * and more than a shade. */
void recipe_note_clipped(const struct prep *p);

/* "640x480", or "640" for both; a usage error naming the option. */
void recipe_size(const char *option, const char *arg, uint32_t *width,
    uint32_t *height);
/* Width, height and layout of a model's input, if its shape is that of one
 * picture of three channels. */
bool recipe_shape(const struct npu_tensor *t, uint32_t *width,
    uint32_t *height, enum layout *layout);

/* The names of what can be said for them, in the order of their values; they
 * end with NULL. */
extern const char *const recipe_fits[], *const recipe_filters[],
    *const recipe_orders[], *const recipe_layouts[], *const recipe_presets[];

/* All of it in words and numbers, as text or as one JSON document; fast: JPEGs
 * are shrunk as they are decoded. */
void recipe_explain(struct buf *out, const struct recipe *c,
    const struct prep *p, bool fast, bool json);

#endif
