/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a picture was fitted into a model's input: made by prep, undone by yolo,
 * so that the two cannot disagree (architecture, How a picture becomes
 * detections).
 */
#ifndef VISION_GEOMETRY_H
#define VISION_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

enum fit {
	FIT_CROP,	/* the shorter side fits; what is over at both ends of
			   the longer is cut off, as openai/CLIP does */
	FIT_STRETCH,	/* each side on its own, as the vendor's hub does */
	FIT_LETTERBOX,	/* the longer side fits; gray on both sides of it */
};

/* All in pixels; a picture is upright here. */
struct geometry {
	uint32_t width, height;		/* the picture */
	uint64_t to_width, to_height;	/* the picture after resizing; the crop
					   of a ribbon can be beyond 32 bits */
	uint32_t in_width, in_height;	/* the model's input */
	/* Where the resized picture's upper left corner is in the input:
	 * negative for what is cropped. */
	int64_t left, top;
};

/*
 * What Pillow's recipes do.  Crop: openai/CLIP's Resize and CenterCrop, in
 * integers as torchvision has them: the longer side is in * longer / shorter,
 * cut; the crop begins at round half to even of half of what is over.
 * Letterbox: sides times the smaller of the two ratios, cut, at least 1; half
 * of what is left over, cut, on the left and above.  No size may be 0.
 */
void geometry_fit(struct geometry *g, enum fit fit, uint32_t width,
    uint32_t height, uint32_t in_width, uint32_t in_height);

/* A smaller input, cut out of the middle of what was resized, as torchvision's
 * CenterCrop does after a Resize to more. */
void geometry_crop(struct geometry *g, uint32_t in_width, uint32_t in_height);

/* A place in the input, as a place in the picture. */
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
