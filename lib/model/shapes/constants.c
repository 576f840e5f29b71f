// SPDX-License-Identifier: Apache-2.0
/* Operators that make constants, and sizes of other values. */
#include <math.h>

#include "model/shapes/infer.h"
#include "model/shapes/small_tensor.h"

static const struct shape scalar = { .ranked = true };

static void
set_list(struct step *s, const struct numbers *v)
{
	struct shape shape = shape_of_rank(1);

	shape.dim[0] = v->n;
	step_set_shape(s, 0, &shape);
	step_set_numbers(s, 0, v);
}

/* Sets a list from a constant's attribute, or its only number. */
static void
set_attribute(struct step *s)
{
	static const char *const single[] = { "value_int", "value_float" };
	static const char *const lists[] = { "value_ints", "value_floats" };
	struct numbers v;

	for (unsigned i = 0; i < 2; i++) {
		if (node_numbers(&s->node, lists[i], &v))
			set_list(s, &v);
		v = (struct numbers){ .real = i == 1, .n = 1,
		    .v = { node_number(&s->node, single[i], NAN) } };
		if (isnan(v.v[0]))
			continue;
		step_set_shape(s, 0, &scalar);
		step_set_numbers(s, 0, &v);
	}
}

void
infer_constant(struct step *s)
{
	struct bytes tensor;
	struct small_tensor c;

	if (!node_tensor(&s->node, "value", &tensor)) {
		set_attribute(s);
		return;
	}
	if (!small_tensor_read(&c, tensor))
		return;
	step_set_shape(s, 0, &c.shape);
	if (c.known)
		step_set_numbers(s, 0, &c.numbers);
}

static struct shape
shape_from(const struct numbers *v)
{
	struct shape shape = shape_of_rank(v->n);

	for (unsigned i = 0; i < shape.ndim; i++)
		shape.dim[i] = v->v[i];
	return shape;
}

/* All elements have the value of the attribute, or 0. */
void
infer_constant_of_shape(struct step *s)
{
	struct small_tensor c = { .known = true };
	struct bytes tensor;
	struct numbers v;
	struct shape shape;
	uint64_t n = 1;

	if (!step_numbers(s, 0, &v))
		return;
	shape = shape_from(&v);
	step_set_shape(s, 0, &shape);
	if (node_tensor(&s->node, "value", &tensor) &&
	    (!small_tensor_read(&c, tensor) || c.numbers.n != 1))
		return;
	if (!shape_multiply_sizes(&n, &shape, 0, shape.ndim) ||
	    n > NUMBERS_MOST)
		return;
	v = (struct numbers){ .real = c.numbers.real, .n = (unsigned)n };
	for (unsigned i = 0; i < v.n; i++)
		v.v[i] = c.numbers.v[0];
	step_set_numbers(s, 0, &v);
}

/* From start, in steps, up to a limit that is not included. */
void
infer_range(struct step *s)
{
	double start = step_number(s, "", 0, NAN);
	double limit = step_number(s, "", 1, NAN);
	double delta = step_number(s, "", 2, NAN);
	double n = delta != 0 ? ceil((limit - start) / delta) : NAN;
	struct shape shape = shape_of_rank(1);
	struct numbers first, v = { 0 };

	shape.dim[0] = n < 0 ? 0 : n;
	step_set_shape(s, 0, &shape);
	if (!(n >= 0 && n <= NUMBERS_MOST) || !step_numbers(s, 0, &first))
		return;
	v.real = first.real;
	v.n = (unsigned)n;
	for (unsigned i = 0; i < v.n; i++)
		v.v[i] = start + i * delta;
	step_set_numbers(s, 0, &v);
}

/* Since opset 15, only the sizes from start up to end, which may count from the
 * last size and are limited to the sizes that exist. */
void
infer_shape(struct step *s)
{
	const struct shape *x = step_shape(s, 0);
	double start = node_number(&s->node, "start", 0);
	double end = node_number(&s->node, "end", SHAPE_DIMS);
	struct numbers v = { 0 };

	if (!x->ranked) {
		struct shape list = shape_of_rank(1);

		step_set_shape(s, 0, &list);
		return;
	}
	start += start < 0 ? x->ndim : 0;
	end += end < 0 ? x->ndim : 0;
	for (unsigned i = 0; i < x->ndim; i++)
		if (i >= start && i < end)
			v.v[v.n++] = x->dim[i];
	set_list(s, &v);
}

void
infer_size(struct step *s)
{
	const struct shape *x = step_shape(s, 0);
	struct numbers v = { .n = 1 };

	v.v[0] = x->ranked ? shape_product(x, 0, x->ndim) : NAN;
	step_set_shape(s, 0, &scalar);
	step_set_numbers(s, 0, &v);
}

void
infer_stated(struct step *s)
{
	struct numbers v;
	struct shape shape;

	if (!node_numbers(&s->node, "shape", &v))
		return;
	shape = shape_from(&v);
	step_set_shape(s, 0, &shape);
}
