/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a picture was fitted into a model's input: computed by prep, inverted by
 * yolo, so that the two cannot disagree (architecture, How a picture becomes
 * detections).
 */
#ifndef VISION_GEOMETRY_H
#define VISION_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

enum fit {
	FIT_CROP,	/* the shorter side fits; the excess at both ends of
			   the longer is cut off, as openai/CLIP does */
	FIT_STRETCH,	/* each side on its own, as the vendor's hub does */
	FIT_LETTERBOX,	/* the longer side fits; gray on both sides of it */
};

/* All in pixels; a picture is upright here. */
struct geometry {
	uint32_t width, height;		/* the picture */
	uint64_t to_width, to_height;	/* the picture after resizing; for a
					   crop of a ribbon it can exceed 32
					   bits */
	uint32_t in_width, in_height;	/* the model's input */
	/* Where the upper left corner of the resized picture is in the input:
	 * negative for what is cropped. */
	int64_t left, top;
};

/*
 * As the recipes with Pillow do.  Crop: openai/CLIP's Resize and CenterCrop, in
 * integers as in torchvision: the longer side is in * longer / shorter, rounded
 * down; the crop begins at half of the excess, rounded half to even.
 * Letterbox: sides times the smaller of the two ratios, rounded down, at least
 * 1; half of the rest, rounded down, on the left and above.  No size may be 0.
 */
void geometry_fit(struct geometry *g, enum fit fit, uint32_t width,
    uint32_t height, uint32_t in_width, uint32_t in_height);

/* A smaller input, cropped from the middle of the resized picture, as
 * torchvision's CenterCrop does after a Resize to more. */
void geometry_crop(struct geometry *g, uint32_t in_width, uint32_t in_height);

/* A coordinate in the input, as a coordinate in the picture. */
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
