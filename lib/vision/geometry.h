/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a picture was fitted into a model's input.  prep computes the geometry
 * and yolo inverts it; because both use the same structure, they cannot
 * disagree (architecture, How a picture becomes detections).
 */
#ifndef VISION_GEOMETRY_H
#define VISION_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

enum fit {
	FIT_CROP,	/* the shorter side fits; the longer is cropped at both
			 * ends, as in openai/CLIP */
	FIT_STRETCH,	/* each side on its own, as in the vendor's hub */
	FIT_LETTERBOX,	/* the longer side fits; gray fills both sides */
};

/* All in pixels; the picture is upright here. */
struct geometry {
	uint32_t width, height;		/* of the picture */
	uint64_t to_width, to_height;	/* after resizing; can exceed 32 bits in
					 * a crop of a very narrow picture */
	uint32_t in_width, in_height;	/* of the model's input */
	/* The position in the input of the resized picture's upper left corner;
	 * negative for the cropped part. */
	int64_t left, top;
};

/*
 * Computes the geometry as the recipes with Pillow do.  Crop: openai/CLIP's
 * Resize and CenterCrop, in integers as in torchvision: the longer side becomes
 * in * longer / shorter, rounded down; the crop begins at half of the excess,
 * rounded half to even.  Letterbox: both sides are multiplied by the smaller of
 * the two ratios, rounded down, and become at least 1; half of the rest,
 * rounded down, is added on the left and above.  All sizes must be at least 1.
 */
void geometry_fit(struct geometry *g, enum fit fit, uint32_t width,
    uint32_t height, uint32_t in_width, uint32_t in_height);

/* Crops a smaller input from the middle of the resized picture, as
 * torchvision's CenterCrop does after a Resize to a larger size. */
void geometry_crop(struct geometry *g, uint32_t in_width, uint32_t in_height);

/* Converts a coordinate in the input to a coordinate in the picture. */
static inline double
geometry_x(const struct geometry *g, double x)
{
	return (x - (double)g->left) * g->width / (double)g->to_width;
}

static inline double
geometry_y(const struct geometry *g, double y)
{
	return (y - (double)g->top) * g->height / (double)g->to_height;
}

#endif
