/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts a picture to a model's input: decoded, resized, normalised,
 * quantised and laid out in one pass, and byte for byte as Pillow, torchvision
 * and npu_quantise() do these steps one after another.
 */
#ifndef VISION_PREP_H
#define VISION_PREP_H

#include "image/source.h"
#include "image/taps.h"
#include "npu.h"
#include "vision/geometry.h"

enum layout { LAYOUT_CHW, LAYOUT_HWC };

/*
 * The recipe for a picture.  A value v from 0 to 255 becomes the real number (v
 * / divisor - mean) / deviation, in 32-bit floats as torch computes it, and
 * then the element of the tensor's type, scale and zero point.
 */
struct prep_recipe {
	uint32_t width, height;		/* pixels of the input, > 0 */
	enum fit fit;
	/* FIT_CROP: the length of the picture's shorter side before the input
	 * is cropped from its middle; 0: as short as possible. */
	uint32_t shorter;
	enum filter filter;
	/* As openai/CLIP does it: the picture is not turned, and it is
	 * converted to RGB after the resize, which takes the nearest pixel if
	 * pixels are stored as an index or a bit. */
	bool as_stored;
	uint8_t pad[3];			/* red, green, blue: letterbox */
	bool bgr;			/* blue first */
	enum layout layout;
	float divisor;			/* for all channels: 255 or 1 */
	float mean[3], deviation[3];	/* for red, green, blue; deviation >
					 * 0 */
	/* set type, scale and zero_point; shape and size are filled in */
	struct npu_tensor tensor;
};

struct prep;			/* constant; threads may share it */

/* Fails with NPU_EUSAGE for sizes and types that are not possible. */
int prep_open(struct prep **prep, const struct prep_recipe *recipe,
    struct npu_err *err);
/* Returns the recipe with its tensor completed: [1,3,H,W] or [1,H,W,3]. */
const struct prep_recipe *prep_recipe(const struct prep *p);
/* Returns the real number for value v in channel c (0 red), before
 * quantising. */
float prep_value(const struct prep *p, unsigned c, uint8_t v);
void prep_close(struct prep *p);	/* NULL is allowed */

struct prep_limits {
	uint64_t max_pixels;	/* picture.h */
	/*
	 * Decode a JPEG at a half, a quarter or an eighth of its size, as long
	 * as the decoded size is at least three times the size after the
	 * resize, or six times with a bicubic filter.  Where a half would be
	 * used, and unless the filter is bicubic, a JPEG of 4:2:0 is resized by
	 * its planes instead.
	 */
	bool fast;
};

/*
 * Writes the picture of source to tensor.size bytes at out, and how the picture
 * was fitted to *g.  Returns 1 as picture_read() does.  On failure out does not
 * hold a picture.
 */
int prep_picture(const struct prep *p, struct picture_source source,
    const struct prep_limits *limits, void *out, struct geometry *g,
    struct npu_err *err);

/* Writes an input that is only padding, to replace a bad picture. */
void prep_blank(const struct prep *p, void *out);

#endif
