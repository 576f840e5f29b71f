/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Determines how pictures become tensors, from the command line and the model.
 */
#ifndef CMD_PICTURES_PREPROCESS_OPTIONS_H
#define CMD_PICTURES_PREPROCESS_OPTIONS_H

#include "tensors/tensor_options.h"
#include "vision/prep.h"

enum {
	PREPROCESS_DIVISOR = 360, PREPROCESS_FILTER, PREPROCESS_FIT,
	PREPROCESS_FOR, PREPROCESS_LAYOUT, PREPROCESS_MEAN, PREPROCESS_ORDER,
	PREPROCESS_PAD, PREPROCESS_SHORTER, PREPROCESS_SIZE, PREPROCESS_STD,
};

/* Rows for a program's options, in addition to -t -s -z and -m. */
#define PREPROCESS_FOR_OPTION \
	ONE_OF(PREPROCESS_FOR, "for", "=WHAT", preprocess_presets, \
	    "clip, yolo, imagenet; hub-clip, hub-yolo: as the vendor's model " \
	    "hub does; openai-clip: ignore EXIF, resize before converting " \
	    "to RGB (default: by the model's range)")
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

/* The options; zero them before the first option. */
struct preprocess_options {
	const char *model;		/* the argument of -m; NULL: none */
	const char *preset;		/* the preset of --for; after
					   preprocess_resolve() the preset in
					   use; NULL: not set */
	bool guessed;			/* preset was guessed from the range
					   of the model's input */
	bool model_alone;		/* the program does not have options
					   for values that the model leaves
					   open */
	bool has[PREPROCESS_STD - PREPROCESS_DIVISOR + 1];
	struct prep_recipe recipe;	/* values set by options, where has
					   is true */
	struct tensor_options tensor;	/* -t -s -z */
};

/* Reads an option of PREPROCESS_OPTIONS or TENSOR_OPTIONS.  Returns false for
 * another option. */
bool preprocess_option(struct preprocess_options *c, int opt, const char *arg);

/*
 * Determines the recipe from --for, the options for single values and the
 * model, which supplies type, scale, zero point, size and layout.  A
 * contradiction is a usage error that names the remedy.
 */
void preprocess_resolve(struct preprocess_options *c, struct prep_recipe *r);

/* Prints a note if the tensor keeps only few of 256 shades, unless the user set
 * the scale; otherwise, if the tensor cannot hold pixel values: if they exceed
 * its range by more than a step and more than a shade. */
void preprocess_note_losses(const struct preprocess_options *o,
    const struct prep *p);

/* Parses "640x480", or "640" for both sides; a usage error names the option. */
void preprocess_parse_size(const char *option, const char *arg,
    uint32_t *width, uint32_t *height);
/* Finds width, height and layout of a model's input.  Returns false if its
 * shape does not fit one picture of three channels. */
bool preprocess_input_shape(const struct npu_tensor *t, uint32_t *width,
    uint32_t *height, enum layout *layout);

/* Names of the options' values, in the order of the enumerations; each ends
 * with NULL. */
extern const char *const preprocess_fits[], *const preprocess_filters[];
extern const char *const preprocess_orders[], *const preprocess_layouts[];
extern const char *const preprocess_presets[];

#endif
