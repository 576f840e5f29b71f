/* SPDX-License-Identifier: Apache-2.0 */
/* How pictures become tensors, from the command line and the model. */
#ifndef CMD_PICTURES_PREPROCESS_OPTIONS_H
#define CMD_PICTURES_PREPROCESS_OPTIONS_H

#include "tensors/tensor_options.h"
#include "vision/prep.h"

enum {
	PREPROCESS_DIVISOR = 360, PREPROCESS_FILTER, PREPROCESS_FIT,
	PREPROCESS_FOR, PREPROCESS_LAYOUT, PREPROCESS_MEAN, PREPROCESS_ORDER,
	PREPROCESS_PAD, PREPROCESS_SHORTER, PREPROCESS_SIZE, PREPROCESS_STD,
};

/* Rows of a program's options, beside -t -s -z and -m. */
#define PREPROCESS_FOR_OPTION \
	ONE_OF(PREPROCESS_FOR, "for", "=WHAT", preprocess_presets, \
	    "clip, yolo, imagenet; hub-clip, hub-yolo: as the vendor's model " \
	    "hub does; openai-clip: not turned, and resized before it is RGB " \
	    "(default: by the model's range)")
#define PREPROCESS_OPTIONS \
	TAKES(PREPROCESS_SIZE, "size", "=WxH", COMPLETE_NONE, \
	    "pixels of the input"), \
	ONE_OF(PREPROCESS_FIT, "fit", "=HOW", preprocess_fits, \
	    "crop, stretch or letterbox"), \
	TAKES(PREPROCESS_SHORTER, "shorter", "=N", COMPLETE_NONE, \
	    "crop: the shorter side before (the input's)"), \
	TAKES(PREPROCESS_PAD, "pad", "=N[,N,N]", COMPLETE_NONE, \
	    "letterbox: the colour around (114)"), \
	ONE_OF(PREPROCESS_FILTER, "filter", "=NAME", preprocess_filters, \
	    "bicubic, bilinear or box"), \
	ONE_OF(PREPROCESS_ORDER, "order", "=ORDER", preprocess_orders, \
	    "rgb (default) or bgr"), \
	TAKES(PREPROCESS_DIVISOR, "divisor", "=N", COMPLETE_NONE, \
	    "x = (v / N - mean) / std (255)"), \
	TAKES(PREPROCESS_MEAN, "mean", "=N[,N,N]", COMPLETE_NONE, \
	    "one, or of red, green, blue (0)"), \
	TAKES(PREPROCESS_STD, "std", "=N[,N,N]", COMPLETE_NONE, \
	    "likewise (1)"), \
	ONE_OF(PREPROCESS_LAYOUT, "layout", "=LAYOUT", preprocess_layouts, \
	    "chw (default) or hwc")

/* The options; zeroed before the first. */
struct preprocess_options {
	const char *model;		/* the argument of -m; NULL: none */
	const char *preset;		/* of --for; after preprocess_resolve()
					   the one in force; NULL: none */
	bool guessed;			/* by the range of the model's
					   input */
	bool model_alone;		/* the program has no option for what
					   the model leaves open */
	bool has[PREPROCESS_STD - PREPROCESS_DIVISOR + 1];
	struct prep_recipe recipe;	/* where has is true */
	struct tensor_options tensor;	/* -t -s -z */
};

/* Reads an option of PREPROCESS_OPTIONS or TENSOR_OPTIONS; false if it is
 * neither. */
bool preprocess_option(struct preprocess_options *c, int opt, const char *arg);

/*
 * The recipe from --for, the options for single values and the model, which
 * supplies type, scale, zero point, size and layout.  A contradiction is a
 * usage error that names the remedy.
 */
void preprocess_resolve(struct preprocess_options *c, struct prep_recipe *r);

/* Notes that few of 256 shades are left in the tensor, unless by a scale that
 * was given; else that it cannot hold the values of pixels, if they are outside
 * by more than a step and more than a shade. */
void preprocess_note_losses(const struct preprocess_options *o,
    const struct prep *p);

/* "640x480", or "640" for both; a usage error naming the option. */
void preprocess_parse_size(const char *option, const char *arg,
    uint32_t *width, uint32_t *height);
/* Width, height and layout of a model's input; false if its shape is not that
 * of one picture of three channels. */
bool preprocess_input_shape(const struct npu_tensor *t, uint32_t *width,
    uint32_t *height, enum layout *layout);

/* Names of the options' values, in the order of the enumerations; each ends
 * with NULL. */
extern const char *const preprocess_fits[], *const preprocess_filters[];
extern const char *const preprocess_orders[], *const preprocess_layouts[];
extern const char *const preprocess_presets[];

#endif
