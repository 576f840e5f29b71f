// SPDX-License-Identifier: Apache-2.0
/* Operators that repeat, pad or resize a value. */
#include <math.h>

#include "model/shapes/infer.h"

void
infer_expand(struct step *s)
{
	struct numbers target;
	struct shape y;

	if (!step_numbers(s, 1, &target) || target.n > SHAPE_DIMS)
		return;
	y = shape_of_rank(target.n);
	for (unsigned i = 0; i < y.ndim; i++)
		y.dim[i] = shape_size(target.v[i]);
	y = shape_broadcast(step_shape(s, 0), &y);
	step_set_shape(s, 0, &y);
}

void
infer_tile(struct step *s)
{
	const struct shape *x = step_shape(s, 0);
	struct shape y = *x;
	struct numbers repeats;

	if (!step_numbers(s, 1, &repeats) || repeats.n != x->ndim)
		return;
	for (unsigned i = 0; i < y.ndim; i++)
		y.dim[i] *= repeats.v[i];
	step_set_shape(s, 0, &y);
}

/* ---- Padding ----------------------------------------------------------- */

/* Finds the axis that number i of a list is for. */
static bool
find_axis(const struct step *s, const struct numbers *axes, unsigned i,
    unsigned *axis)
{
	*axis = i;
	return axes->n == 0 || (i < axes->n &&
	    shape_axis(axes->v[i], step_shape(s, 0)->ndim, axis));
}

/* Old opsets have the pads in an attribute, which was first called paddings.
 */
void
infer_pad(struct step *s)
{
	const struct shape *x = step_shape(s, 0);
	struct numbers pads, axes = { 0 };
	struct shape y = *x;
	unsigned n, axis;

	if (!x->ranked)
		return;
	if (step_has(s, 3) && !step_numbers(s, 3, &axes))
		return;
	if (!node_numbers(&s->node, "paddings", &pads) &&
	    !step_list(s, "pads", 1, &pads))
		return;
	n = axes.n > 0 ? axes.n : x->ndim;
	if (pads.n != 2 * n)
		return;
	for (unsigned i = 0; i < n; i++) {
		if (!find_axis(s, &axes, i, &axis))
			return;
		y.dim[axis] += pads.v[i] + pads.v[n + i];
	}
	step_set_shape(s, 0, &y);
}

/* ---- Scaling ----------------------------------------------------------- */

/* Programs multiply in single precision, which can change the whole part. */
static double
scaled(double size, double scale)
{
	return floorf((float)size * (float)scale);
}

/* Sets the sizes of the listed axes, or of all: numbers are sizes, or scales.
 */
static void
set_extents(struct step *s, const struct numbers *v,
    const struct numbers *axes, bool scales)
{
	const struct shape *x = step_shape(s, 0);
	struct shape y = *x;
	unsigned axis;

	if (!x->ranked || v->n != (axes->n > 0 ? axes->n : x->ndim))
		return;
	for (unsigned i = 0; i < v->n; i++) {
		if (!find_axis(s, axes, i, &axis))
			return;
		y.dim[axis] = scales ? scaled(x->dim[axis], v->v[i]) : v->v[i];
	}
	step_set_shape(s, 0, &y);
}

/* Inputs are the scales in opset 10; later a region, the scales and the sizes.
 * Either the scales or the sizes are absent or empty.  A policy that keeps the
 * aspect ratio, where the sizes are limits, is not calculated. */
void
infer_resize(struct step *s)
{
	struct bytes policy = node_text(&s->node,
	    "keep_aspect_ratio_policy");
	unsigned scales = step_inputs(s) == 2 ? 1 : 2;
	struct numbers v, axes;
	bool region = bytes_start(node_text(&s->node,
	    "coordinate_transformation_mode"), "tf_crop_and_resize");

	node_numbers(&s->node, "axes", &axes);
	if (step_has(s, 3) && step_numbers(s, 3, &v) && v.n > 0) {
		if (policy.n == 0 || bytes_start(policy, "stretch"))
			set_extents(s, &v, &axes, false);
	} else if (step_numbers(s, scales, &v) && !region) {
		set_extents(s, &v, &axes, true);
	}
}

void
infer_upsample(struct step *s)
{
	const struct numbers all = { 0 };
	struct numbers scales;

	if (step_list(s, "scales", 1, &scales))
		set_extents(s, &scales, &all, true);
}
