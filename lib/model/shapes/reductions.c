// SPDX-License-Identifier: Apache-2.0
/* Operators that reduce, sort or search along an axis. */
#include <math.h>

#include "model/shapes/infer.h"

/* Removes the marked axes, or makes their sizes 1. */
static void
set_reduced(struct step *s, const bool marked[SHAPE_DIMS])
{
	bool keep = node_number(&s->node, "keepdims", 1) != 0;
	const struct shape *x = step_shape(s, 0);
	struct shape y = { .ranked = true };

	for (unsigned i = 0; i < x->ndim; i++)
		if (!marked[i])
			shape_add(&y, x->dim[i]);
		else if (keep)
			shape_add(&y, 1);
	step_set_shape(s, 0, &y);
}

/* Axes are an attribute, or an input in later opsets.  Without axes, all are
 * reduced, or none if the node says so. */
void
infer_reduce(struct step *s)
{
	bool noop = node_number(&s->node, "noop_with_empty_axes", 0) != 0;
	const struct shape *x = step_shape(s, 0);
	bool marked[SHAPE_DIMS] = { false };
	struct numbers axes = { 0 };
	unsigned axis;

	if (!x->ranked)
		return;
	if (!step_list(s, "axes", 1, &axes)) {
		if (step_has(s, 1))
			return;
		axes.n = 0;
	}
	for (unsigned i = 0; i < x->ndim && axes.n == 0; i++)
		marked[i] = !noop;
	for (unsigned i = 0; i < axes.n; i++) {
		if (!shape_axis(axes.v[i], x->ndim, &axis))
			return;
		marked[axis] = true;
	}
	set_reduced(s, marked);
}

void
infer_arg(struct step *s)
{
	const struct shape *x = step_shape(s, 0);
	bool marked[SHAPE_DIMS] = { false };
	unsigned axis;

	if (!x->ranked || !shape_axis(node_number(&s->node, "axis", 0),
	    x->ndim, &axis))
		return;
	marked[axis] = true;
	set_reduced(s, marked);
}

void
infer_topk(struct step *s)
{
	struct shape y = *step_shape(s, 0);
	unsigned axis;

	if (!y.ranked || !shape_axis(node_number(&s->node, "axis", -1), y.ndim,
	    &axis))
		return;
	y.dim[axis] = step_number(s, "k", 1, NAN);
	step_set_shape(s, 0, &y);
	step_set_shape(s, 1, &y);
}

/* The depth becomes a new dimension. */
void
infer_one_hot(struct step *s)
{
	const struct shape *x = step_shape(s, 0);
	struct shape y = { .ranked = true };
	unsigned axis;

	if (!x->ranked || !shape_axis(node_number(&s->node, "axis", -1),
	    x->ndim + 1, &axis))
		return;
	for (unsigned i = 0; i <= x->ndim; i++)
		shape_add(&y, i == axis ? step_number(s, "", 1, NAN) :
		    x->dim[i - (i > axis)]);
	step_set_shape(s, 0, &y);
}

void
infer_non_zero(struct step *s)
{
	const struct shape *x = step_shape(s, 0);
	struct shape y = shape_of_rank(2);

	if (x->ranked)
		y.dim[0] = x->ndim;
	step_set_shape(s, 0, &y);
}

/* A box is its batch, class and index. */
void
infer_non_max_suppression(struct step *s)
{
	struct shape y = shape_of_rank(2);

	y.dim[1] = 3;
	step_set_shape(s, 0, &y);
}
