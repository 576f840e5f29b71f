// SPDX-License-Identifier: Apache-2.0
/* Operators that keep all elements, and give them another shape. */
#include <math.h>

#include "model/shapes/infer.h"

/* Sets the shape, and the input's numbers, whose order does not change. */
static void
set_layout(struct step *s, const struct shape *shape)
{
	struct numbers v;

	step_set_shape(s, 0, shape);
	if (step_numbers(s, 0, &v))
		step_set_numbers(s, 0, &v);
}

/* ---- Reshape ----------------------------------------------------------- */

/* Returns the size that -1 stands for: the elements of x, divided by the other
 * sizes.  Sizes that were copied from x, even unknown ones, are in both. */
static double
remaining(const struct shape *x, const struct numbers *target, bool copy)
{
	double all = 1, others = 1;

	for (unsigned i = 0; i < target->n; i++)
		if (target->v[i] != -1 && !(copy && target->v[i] == 0))
			others *= target->v[i];
	for (unsigned i = 0; i < x->ndim; i++)
		if (i >= target->n || !copy || target->v[i] != 0)
			all *= x->dim[i];
	return x->ranked && others > 0 ? all / others : NAN;
}

void
infer_reshape(struct step *s)
{
	bool copy = node_number(&s->node, "allowzero", 0) == 0;
	const struct shape *x = step_shape(s, 0);
	struct numbers target;
	struct shape y;

	if (!step_list(s, "shape", 1, &target) || target.n > SHAPE_DIMS)
		return;
	y = shape_of_rank(target.n);
	for (unsigned i = 0; i < y.ndim; i++) {
		y.dim[i] = target.v[i];
		if (target.v[i] == 0 && copy)
			y.dim[i] = x->ranked && i < x->ndim ? x->dim[i] : NAN;
		if (target.v[i] == -1)
			y.dim[i] = remaining(x, &target, copy);
	}
	set_layout(s, &y);
}

void
infer_flatten(struct step *s)
{
	double axis = node_number(&s->node, "axis", 1);
	const struct shape *x = step_shape(s, 0);
	struct shape y = shape_of_rank(2);
	unsigned at = x->ndim;

	if (!x->ranked || (axis != x->ndim && !shape_axis(axis, x->ndim, &at)))
		return;
	y.dim[0] = shape_product(x, 0, at);
	y.dim[1] = shape_product(x, at, x->ndim);
	step_set_shape(s, 0, &y);
}

/* ---- Sizes of 1 -------------------------------------------------------- */

/* Marks the listed axes of ndim dimensions. */
static bool
mark_axes(const struct numbers *axes, unsigned ndim, bool marked[SHAPE_DIMS])
{
	unsigned axis;

	for (unsigned i = 0; i < axes->n; i++) {
		if (!shape_axis(axes->v[i], ndim, &axis))
			return false;
		marked[axis] = true;
	}
	return true;
}

/* Without axes, all sizes of 1 are removed. */
void
infer_squeeze(struct step *s)
{
	const struct shape *x = step_shape(s, 0);
	struct shape y = { .ranked = true };
	bool marked[SHAPE_DIMS] = { false };
	struct numbers axes;

	if (!x->ranked)
		return;
	if (step_list(s, "axes", 1, &axes)) {
		if (!mark_axes(&axes, x->ndim, marked))
			return;
	} else {
		if (step_has(s, 1) || isnan(shape_product(x, 0, x->ndim)))
			return;
		for (unsigned i = 0; i < x->ndim; i++)
			marked[i] = x->dim[i] == 1;
	}
	for (unsigned i = 0; i < x->ndim; i++)
		if (!marked[i])
			shape_add(&y, x->dim[i]);
	set_layout(s, &y);
}

void
infer_unsqueeze(struct step *s)
{
	const struct shape *x = step_shape(s, 0);
	bool marked[SHAPE_DIMS] = { false };
	struct numbers axes;
	struct shape y;

	if (!x->ranked || !step_list(s, "axes", 1, &axes))
		return;
	y = shape_of_rank(x->ndim + axes.n);
	if (!y.ranked || !mark_axes(&axes, y.ndim, marked))
		return;
	for (unsigned i = 0, from = 0; i < y.ndim; i++)
		y.dim[i] = marked[i] ? 1 : from < x->ndim ? x->dim[from++] :
		    NAN;
	set_layout(s, &y);
}

/* ---- The order of dimensions ------------------------------------------- */

/* Without a permutation, the order is reversed. */
void
infer_transpose(struct step *s)
{
	const struct shape *x = step_shape(s, 0);
	struct numbers order;
	struct shape y;
	unsigned from;

	if (!x->ranked)
		return;
	y = shape_of_rank(x->ndim);
	if (!node_numbers(&s->node, "perm", &order)) {
		for (unsigned i = 0; i < y.ndim; i++)
			y.dim[i] = x->dim[x->ndim - 1 - i];
	} else {
		for (unsigned i = 0; i < y.ndim; i++)
			if (i < order.n &&
			    shape_axis(order.v[i], x->ndim, &from))
				y.dim[i] = x->dim[from];
	}
	step_set_shape(s, 0, &y);
}

/* ---- Blocks ------------------------------------------------------------ */

/* Multiplies height and width by a factor, and divides the channels. */
static void
scale_picture(struct step *s, double factor)
{
	const struct shape *x = step_shape(s, 0);
	struct shape y = *x;

	if (!x->ranked || x->ndim != 4)
		return;
	y.dim[1] = x->dim[1] / (factor * factor);
	y.dim[2] = x->dim[2] * factor;
	y.dim[3] = x->dim[3] * factor;
	step_set_shape(s, 0, &y);
}

void
infer_depth_to_space(struct step *s)
{
	scale_picture(s, node_number(&s->node, "blocksize", NAN));
}

void
infer_space_to_depth(struct step *s)
{
	scale_picture(s, 1 / node_number(&s->node, "blocksize", NAN));
}
