// SPDX-License-Identifier: Apache-2.0
/* Operators that join values, and take parts of them. */
#include <math.h>

#include "model/shapes/infer.h"

/* ---- Joining ----------------------------------------------------------- */

/* Joins the inputs first, first + every ... */
static bool
join_shapes(struct step *s, unsigned first, unsigned every)
{
	struct shape y = *step_shape(s, first);
	const struct shape *x;
	unsigned axis;

	if (!y.ranked || !shape_axis(node_number(&s->node, "axis", 1), y.ndim,
	    &axis))
		return false;
	for (unsigned i = first + every; i < step_inputs(s); i += every) {
		x = step_shape(s, i);
		if (!x->ranked || x->ndim != y.ndim)
			return false;
		for (unsigned k = 0; k < y.ndim; k++)
			if (k == axis)
				y.dim[k] += x->dim[k];
			else if (isnan(y.dim[k]))
				y.dim[k] = x->dim[k];
	}
	step_set_shape(s, 0, &y);
	return true;
}

static void
join_numbers(struct step *s)
{
	struct numbers all = { 0 }, v;

	for (unsigned i = 0; i < step_inputs(s); i++) {
		if (step_shape(s, i)->ndim != 1 || !step_numbers(s, i, &v) ||
		    v.n > NUMBERS_MOST - all.n)
			return;
		all.real |= v.real;
		for (unsigned k = 0; k < v.n; k++)
			all.v[all.n++] = v.v[k];
	}
	step_set_numbers(s, 0, &all);
}

void
infer_concat(struct step *s)
{
	if (join_shapes(s, 0, 1))
		join_numbers(s);
}

void
infer_concat_quantised(struct step *s)
{
	join_shapes(s, 2, 3);
}

/* ---- Split ------------------------------------------------------------- */

/* Returns the size of part i of n.  The last part can be smaller. */
static double
part_size(double size, unsigned i, unsigned n)
{
	double part = ceil(size / n);

	return i + 1 < n ? part : size - part * (n - 1);
}

void
infer_split(struct step *s)
{
	const struct shape *x = step_shape(s, 0);
	struct shape y = *x;
	unsigned axis, n = step_outputs(s);
	struct numbers parts;
	bool listed = step_list(s, "split", 1, &parts);

	if (!x->ranked || !shape_axis(node_number(&s->node, "axis", 0),
	    x->ndim, &axis))
		return;
	for (unsigned i = 0; i < n; i++) {
		if (listed)
			y.dim[axis] = i < parts.n ? parts.v[i] : NAN;
		else
			y.dim[axis] = step_has(s, 1) ? NAN :
			    part_size(x->dim[axis], i, n);
		step_set_shape(s, i, &y);
	}
}

/* ---- Slice ------------------------------------------------------------- */

/* A part of a dimension, as in Python's start:end:step. */
struct slice_range {
	double start, end, step;
};

static double
clamp(double v, double low, double high)
{
	return v < low ? low : v > high ? high : v;
}

/* Counts from the end, and limits the range to the elements that exist. */
static void
fit(struct slice_range *r, double size)
{
	double low = r->step < 0 ? -1 : 0, high = low + size;

	r->start = clamp(r->start < 0 ? r->start + size : r->start,
	    r->step < 0 ? 0 : low, r->step < 0 ? size - 1 : high);
	r->end = clamp(r->end < 0 ? r->end + size : r->end, low, high);
}

static double
range_size(struct slice_range r, double size)
{
	double n;

	if (isnan(size) || r.step == 0)
		return NAN;
	fit(&r, size);
	n = ceil((r.end - r.start) / r.step);
	return n < 0 ? 0 : n;
}

struct ranges {
	struct numbers start, end, axes, step;
};

/* Before opset 10, the ranges are attributes. */
static bool
read_ranges(const struct step *s, struct ranges *r)
{
	if (!step_list(s, "starts", 1, &r->start) ||
	    !step_list(s, "ends", 2, &r->end) || r->start.n != r->end.n)
		return false;
	if (!step_list(s, "axes", 3, &r->axes)) {
		if (step_has(s, 3))
			return false;
		r->axes = (struct numbers){ .n = r->start.n };
		for (unsigned i = 0; i < r->axes.n; i++)
			r->axes.v[i] = i;
	}
	if (!step_has(s, 4)) {
		r->step = (struct numbers){ .n = r->start.n };
		for (unsigned i = 0; i < r->step.n; i++)
			r->step.v[i] = 1;
	} else if (!step_numbers(s, 4, &r->step)) {
		return false;
	}
	return r->axes.n == r->start.n && r->step.n == r->start.n;
}

/* Takes the range of a list of numbers. */
static void
slice_numbers(struct step *s, const struct ranges *all)
{
	struct slice_range r = { all->start.v[0], all->end.v[0],
	    all->step.v[0] };
	struct numbers x, y = { 0 };
	double n;

	if (all->start.n != 1 || step_shape(s, 0)->ndim != 1 ||
	    !step_numbers(s, 0, &x))
		return;
	n = range_size(r, x.n);
	if (!(n >= 0 && n <= x.n))
		return;
	fit(&r, x.n);
	y.real = x.real;
	y.n = (unsigned)n;
	for (unsigned i = 0; i < y.n; i++)
		y.v[i] = x.v[(unsigned)(r.start + i * r.step)];
	step_set_numbers(s, 0, &y);
}

void
infer_slice(struct step *s)
{
	const struct shape *x = step_shape(s, 0);
	struct shape y = shape_of_rank(x->ndim);
	struct ranges r;
	unsigned axis;

	if (!x->ranked)
		return;
	if (!read_ranges(s, &r)) {
		step_set_shape(s, 0, &y);
		return;
	}
	y = *x;
	for (unsigned i = 0; i < r.start.n; i++) {
		if (!shape_axis(r.axes.v[i], x->ndim, &axis))
			return;
		y.dim[axis] = range_size((struct slice_range){ r.start.v[i],
		    r.end.v[i], r.step.v[i] }, x->dim[axis]);
	}
	step_set_shape(s, 0, &y);
	slice_numbers(s, &r);
}

/* ---- Gather ------------------------------------------------------------ */

static void
gather_numbers(struct step *s)
{
	struct numbers x, at, y = { 0 };
	unsigned i;

	if (step_shape(s, 0)->ndim != 1 || !step_numbers(s, 0, &x) ||
	    !step_numbers(s, 1, &at))
		return;
	y.real = x.real;
	for (y.n = 0; y.n < at.n; y.n++)
		y.v[y.n] = shape_axis(at.v[y.n], x.n, &i) ? x.v[i] : NAN;
	step_set_numbers(s, 0, &y);
}

/* The indices' shape replaces the size of the axis. */
void
infer_gather(struct step *s)
{
	const struct shape *x = step_shape(s, 0), *at = step_shape(s, 1);
	struct shape y = { .ranked = true };
	unsigned axis;

	if (!x->ranked || !at->ranked ||
	    !shape_axis(node_number(&s->node, "axis", 0), x->ndim, &axis))
		return;
	for (unsigned i = 0; i < axis; i++)
		shape_add(&y, x->dim[i]);
	for (unsigned i = 0; i < at->ndim; i++)
		shape_add(&y, at->dim[i]);
	for (unsigned i = axis + 1; i < x->ndim; i++)
		shape_add(&y, x->dim[i]);
	step_set_shape(s, 0, &y);
	gather_numbers(s);
}

void
infer_gather_elements(struct step *s)
{
	step_set_shape(s, 0, step_shape(s, 1));
}

/* The last size of the indices is the number of axes that an index is for. */
void
infer_gather_nd(struct step *s)
{
	const struct shape *x = step_shape(s, 0), *at = step_shape(s, 1);
	double batch = node_number(&s->node, "batch_dims", 0), rest;
	struct shape y = { .ranked = true };

	if (!x->ranked || !at->ranked || at->ndim == 0)
		return;
	rest = batch + at->dim[at->ndim - 1];
	if (!(rest >= 0 && rest <= x->ndim))
		return;
	for (unsigned i = 0; i + 1 < at->ndim; i++)
		shape_add(&y, at->dim[i]);
	for (unsigned i = (unsigned)rest; i < x->ndim; i++)
		shape_add(&y, x->dim[i]);
	step_set_shape(s, 0, &y);
}
