// SPDX-License-Identifier: Apache-2.0
#include "vision/geometry.h"

/* Returns half of the excess, rounded half to even, as Python's round()
 * does. */
static int64_t
half_even(uint64_t over)
{
	uint64_t half = over / 2;

	return (int64_t)(half + (over % 2 != 0 && half % 2 != 0));
}

/* Returns in * side / by, rounded down. */
static uint64_t
times(uint32_t in, uint32_t side, uint32_t by)
{
	return (uint64_t)in * side / by;
}

static void
crop(struct geometry *g)
{
	bool upright = (uint64_t)g->width * g->in_height <=
	    (uint64_t)g->height * g->in_width;

	g->to_width = g->in_width;
	g->to_height = g->in_height;
	if (upright)
		g->to_height = times(g->in_width, g->height, g->width);
	else
		g->to_width = times(g->in_height, g->width, g->height);
	geometry_crop(g, g->in_width, g->in_height);
}

/* Computed in double, because then rounding down gives the same result as in
 * Python. */
static void
letterbox(struct geometry *g)
{
	double rx = (double)g->in_width / g->width;
	double ry = (double)g->in_height / g->height;
	double r = rx < ry ? rx : ry;

	g->to_width = (uint64_t)(g->width * r);
	g->to_height = (uint64_t)(g->height * r);
	g->to_width += g->to_width == 0;
	g->to_height += g->to_height == 0;
	g->left = (int64_t)((g->in_width - g->to_width) / 2);
	g->top = (int64_t)((g->in_height - g->to_height) / 2);
}

void
geometry_fit(struct geometry *g, enum fit fit, uint32_t width,
    uint32_t height, uint32_t in_width, uint32_t in_height)
{
	*g = (struct geometry){ .width = width, .height = height,
	    .to_width = in_width, .to_height = in_height,
	    .in_width = in_width, .in_height = in_height };
	if (fit == FIT_CROP)
		crop(g);
	else if (fit == FIT_LETTERBOX)
		letterbox(g);
}

void
geometry_crop(struct geometry *g, uint32_t in_width, uint32_t in_height)
{
	g->in_width = in_width;
	g->in_height = in_height;
	g->left = -half_even(g->to_width - in_width);
	g->top = -half_even(g->to_height - in_height);
}
