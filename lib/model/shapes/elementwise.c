// SPDX-License-Identifier: Apache-2.0
/* Operators whose outputs have the shape of their inputs. */
#include <math.h>
#include <string.h>

#include "model/shapes/infer.h"
#include "model/shapes/small_tensor.h"

static bool
is_type(const struct step *s, const char *name)
{
	return bytes_is(s->node.type, name);
}

/* ---- One input --------------------------------------------------------- */

/* Casts to a number of onnx_type.h. */
static void
cast(struct numbers *v, double to)
{
	v->real = to >= 0 && to < 64 && small_tensor_is_real((uint64_t)to);
	for (unsigned i = 0; i < v->n && !v->real; i++)
		v->v[i] = trunc(v->v[i]);
}

static double
negate(double a)
{
	return -a;
}

/* Calculates with the operators that programs use for sizes. */
static bool
apply(const struct step *s, struct numbers *v)
{
	static const struct {
		const char *name;
		double (*function)(double);
	} rows[] = {
		{ "Identity", NULL }, { "Abs", fabs }, { "Ceil", ceil },
		{ "Floor", floor }, { "Neg", negate }, { "Sqrt", sqrt },
	};

	if (is_type(s, "Cast")) {
		cast(v, node_number(&s->node, "to", -1));
		return true;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (is_type(s, rows[i].name)) {
			for (unsigned k = 0; k < v->n &&
			    rows[i].function != NULL; k++)
				v->v[k] = rows[i].function(v->v[k]);
			return true;
		}
	return false;
}

void
infer_same(struct step *s)
{
	struct numbers v;

	step_set_shape(s, 0, step_shape(s, 0));
	if (step_numbers(s, 0, &v) && apply(s, &v))
		step_set_numbers(s, 0, &v);
}

void
infer_same_pair(struct step *s)
{
	step_set_shape(s, 0, step_shape(s, 0));
	step_set_shape(s, 1, step_shape(s, 0));
}

void
infer_quantised(struct step *s)
{
	const struct shape scalar = { .ranked = true };

	step_set_shape(s, 0, step_shape(s, 0));
	step_set_shape(s, 1, &scalar);
	step_set_shape(s, 2, &scalar);
}

/* ---- Several inputs ---------------------------------------------------- */

static double add(double a, double b) { return a + b; }
static double subtract(double a, double b) { return a - b; }
static double multiply(double a, double b) { return a * b; }
static double divide(double a, double b) { return b != 0 ? a / b : NAN; }
static double divide_integers(double a, double b)
{
	return trunc(divide(a, b));
}

static double
smaller(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : fmin(a, b);
}

static double
larger(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

static double
equal(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : a == b ? 1.0 : 0.0;
}

static double
(*find_function(const struct step *s, bool real))(double, double)
{
	static const struct {
		const char *name;
		double (*function)(double, double);
	} rows[] = {
		{ "Add", add }, { "Sub", subtract }, { "Mul", multiply },
		{ "Min", smaller }, { "Max", larger }, { "Equal", equal },
	};

	if (is_type(s, "Div"))
		return real ? divide : divide_integers;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (is_type(s, rows[i].name))
			return rows[i].function;
	return NULL;
}

/* Returns element i of numbers that are as many as the result's, or one. */
static double
element(const struct numbers *v, unsigned i)
{
	return v->v[v->n == 1 ? 0 : i];
}

/* Calculates with two inputs that have the same number of elements.  An input
 * can also have a single element. */
static void
combine(struct step *s)
{
	double (*function)(double, double);
	struct numbers a, b, v = { 0 };

	if (step_inputs(s) != 2 || !step_numbers(s, 0, &a) ||
	    !step_numbers(s, 1, &b) ||
	    (a.n != b.n && a.n != 1 && b.n != 1))
		return;
	v.real = a.real || b.real;
	function = find_function(s, v.real);
	if (function == NULL || a.n == 0 || b.n == 0)
		return;
	v.n = a.n > b.n ? a.n : b.n;
	for (unsigned i = 0; i < v.n; i++)
		v.v[i] = function(element(&a, i), element(&b, i));
	step_set_numbers(s, 0, &v);
}

/* Before opset 7, only the second input was repeated. */
void
infer_broadcast(struct step *s)
{
	bool old = node_number(&s->node, "broadcast", 0) != 0;
	struct shape shape = *step_shape(s, 0);

	for (unsigned i = 1; i < step_inputs(s) && !old; i++)
		shape = shape_broadcast(&shape, step_shape(s, i));
	step_set_shape(s, 0, &shape);
	combine(s);
}

void
infer_broadcast_quantised(struct step *s)
{
	struct shape shape = shape_broadcast(step_shape(s, 0),
	    step_shape(s, 3));

	step_set_shape(s, 0, &shape);
}

void
infer_where(struct step *s)
{
	struct shape shape = shape_broadcast(step_shape(s, 1),
	    step_shape(s, 2));
	struct numbers c, a, b, v = { 0 };

	shape = shape_broadcast(&shape, step_shape(s, 0));
	step_set_shape(s, 0, &shape);
	if (!step_numbers(s, 0, &c) || !step_numbers(s, 1, &a) ||
	    !step_numbers(s, 2, &b) || c.n == 0 ||
	    (a.n != c.n && a.n != 1) || (b.n != c.n && b.n != 1))
		return;
	v.n = c.n;
	v.real = a.real;
	for (unsigned i = 0; i < v.n; i++)
		v.v[i] = isnan(c.v[i]) ? NAN : c.v[i] != 0 ? element(&a, i) :
		    element(&b, i);
	step_set_numbers(s, 0, &v);
}
