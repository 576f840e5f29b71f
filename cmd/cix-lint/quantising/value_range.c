// SPDX-License-Identifier: Apache-2.0
/* value_range.c - bounds of the values of an ONNX graph. */
#include <math.h>
#include <stddef.h>

#include "model/onnx_numbers.h"
#include "model/shapes/node.h"
#include "value_range.h"

enum {
	MOST_DEPTH = 64,	/* operators behind each other */
	MOST_NODES = 4096,	/* that one answer looks at */
	MOST_ELEMENTS = 1 << 16,	/* of a constant */
};

struct range_search {
	const struct onnx_graph *g;
	unsigned depth, nodes;
};

static const struct value_range anything = { -INFINITY, INFINITY };

static struct value_range range_of(struct range_search *s, struct bytes value);

/* ---- Constants ----------------------------------------------------------- */

static void
widen(struct value_range *r, struct value_range by)
{
	r->low = fmin(r->low, by.low);
	r->high = fmax(r->high, by.high);
}

static struct value_range
range_of_constant(struct bytes tensor)
{
	struct value_range r = { INFINITY, -INFINITY };
	struct onnx_numbers numbers;
	float v;

	if (onnx_numbers_begin(&numbers, tensor, NULL) < 0 ||
	    numbers.external || numbers.n == 0 || numbers.n > MOST_ELEMENTS)
		return anything;
	while (onnx_numbers_read(&numbers, &v, 1) == 1) {
		if (isnan(v))
			return anything;
		widen(&r, (struct value_range){ v, v });
	}
	return numbers.read == numbers.n ? r : anything;
}

/* Reads a constant of one element. */
static bool
read_scalar(const struct onnx_graph *g, const struct onnx_node *n,
    uint32_t port, double *v)
{
	const struct onnx_constant *c;
	struct onnx_numbers numbers;
	float number;

	if (port >= n->n_in ||
	    (c = onnx_graph_constant(g, n->in[port])) == NULL ||
	    onnx_numbers_begin(&numbers, c->tensor, NULL) < 0 ||
	    numbers.external || numbers.n != 1 ||
	    onnx_numbers_read(&numbers, &number, 1) != 1)
		return false;
	*v = number;
	return true;
}

/* ---- Quantisers ---------------------------------------------------------- */

/* Returns the numbers that elements of this type have. */
static struct value_range
range_of_type(uint32_t dtype)
{
	switch (dtype) {
	case NPU_U8: return (struct value_range){ 0, UINT8_MAX };
	case NPU_S8: return (struct value_range){ INT8_MIN, INT8_MAX };
	case NPU_U16: return (struct value_range){ 0, UINT16_MAX };
	case NPU_S16: return (struct value_range){ INT16_MIN, INT16_MAX };
	}
	return anything;
}

/* Without a zero point, elements are unsigned bytes. */
static uint32_t
type_of_zero(const struct onnx_graph *g, const struct onnx_node *n)
{
	const struct onnx_constant *c;
	struct onnx_numbers numbers;

	if (n->n_in < 3 || n->in[2].n == 0)
		return NPU_U8;
	c = onnx_graph_constant(g, n->in[2]);
	return c != NULL && onnx_numbers_begin(&numbers, c->tensor, NULL) == 0 ?
	    numbers.dtype : (uint32_t)NPU_NONE;
}

bool
is_quantiser(const struct onnx_node *n)
{
	/* com.microsoft has these operators as well. */
	return n->n_in > 0 && (bytes_is(n->type, "QuantizeLinear") ||
	    bytes_is(n->type, "DequantizeLinear"));
}

bool
quantiser_read(const struct onnx_graph *g, const struct onnx_node *n,
    struct quantiser *q)
{
	struct value_range type;

	if (!is_quantiser(n))
		return false;
	type = range_of_type(type_of_zero(g, n));
	q->zero = 0;
	if (!read_scalar(g, n, 1, &q->scale) || !(q->scale > 0) ||
	    (n->n_in > 2 && n->in[2].n > 0 &&
	    !read_scalar(g, n, 2, &q->zero)))
		return false;
	q->range.low = (type.low - q->zero) * q->scale;
	q->range.high = (type.high - q->zero) * q->scale;
	return isfinite(q->range.low) && isfinite(q->range.high);
}

static struct value_range
range_of_quantiser(struct range_search *s, const struct onnx_node *n)
{
	struct value_range r;
	struct quantiser q;

	/* The elements of a constant are steps, not numbers. */
	if (onnx_graph_constant(s->g, n->in[0]) != NULL)
		return quantiser_read(s->g, n, &q) ? q.range : anything;
	r = range_of(s, n->in[0]);
	if (!quantiser_read(s->g, n, &q))
		return r;
	r.low = fmin(fmax(r.low, q.range.low), q.range.high);
	r.high = fmax(fmin(r.high, q.range.high), q.range.low);
	return r;
}

/* ---- Operators ----------------------------------------------------------- */

bool
moves_elements(const struct onnx_node *n)
{
	static const char *const types[] = {
		"Reshape", "Transpose", "Identity", "Squeeze", "Unsqueeze",
		"Flatten", "Cast", "Dropout", NULL,
	};

	return n->n_in > 0 && onnx_node_is_any(n, types);
}

/* Operators whose results are some of the input's elements, or between them. */
static bool
chooses_elements(const struct onnx_node *n)
{
	static const char *const types[] = {
		"Slice", "Split", "Gather", "GatherND", "GatherElements",
		"MaxPool", "GlobalMaxPool", "GlobalAveragePool", "ReduceMax",
		"ReduceMin", "ReduceMean", "Expand", "Tile", NULL,
	};

	return moves_elements(n) || (n->n_in > 0 && onnx_node_is_any(n, types));
}

/* Operators whose results have a range of their own. */
static bool
has_own_range(const struct onnx_node *n, struct value_range *r)
{
	static const struct {
		const char *type;
		struct value_range range;
	} own[] = {
		{ "Sigmoid", { 0, 1 } }, { "HardSigmoid", { 0, 1 } },
		{ "Softmax", { 0, 1 } }, { "LogSoftmax", { -INFINITY, 0 } },
		{ "Tanh", { -1, 1 } }, { "Erf", { -1, 1 } },
		{ "Softsign", { -1, 1 } }, { "Sin", { -1, 1 } },
		{ "Cos", { -1, 1 } },
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (onnx_node_is(n, own[i].type)) {
			*r = own[i].range;
			return true;
		}
	return false;
}

/* Clip has its limits in inputs, and before version 11 in attributes. */
static struct value_range
range_of_clip(struct range_search *s, const struct onnx_node *n)
{
	const struct node attributes = { .message = n->message };
	struct value_range r = range_of(s, n->in[0]);
	double low, high;

	if (!read_scalar(s->g, n, 1, &low))
		low = node_number(&attributes, "min", -INFINITY);
	if (!read_scalar(s->g, n, 2, &high))
		high = node_number(&attributes, "max", INFINITY);
	r.low = fmax(r.low, low);
	r.high = fmin(r.high, high);
	return r;
}

static struct value_range
range_of_concat(struct range_search *s, const struct onnx_node *n)
{
	struct value_range r = { INFINITY, -INFINITY };

	for (uint32_t i = 0; i < n->n_in; i++)
		widen(&r, range_of(s, n->in[i]));
	return r;
}

/* Returns the product of two bounds. */
static double
multiply_bounds(double a, double b)
{
	/* 0 times infinity: a factor of 0 leaves 0. */
	return a == 0 || b == 0 ? 0 : a * b;
}

static struct value_range
range_of_pair(struct range_search *s, const struct onnx_node *n)
{
	struct value_range a = range_of(s, n->in[0]);
	struct value_range b = range_of(s, n->in[1]);
	struct value_range r = { INFINITY, -INFINITY };
	bool multiply = onnx_node_is(n, "Mul");

	if (onnx_node_is(n, "Sub"))
		b = (struct value_range){ -b.high, -b.low };
	if (onnx_node_is(n, "Div")) {
		if (!(b.low > 0) && !(b.high < 0))
			return anything;
		b = (struct value_range){ 1 / b.high, 1 / b.low };
		multiply = true;
	}
	if (!multiply)
		return (struct value_range){ a.low + b.low, a.high + b.high };
	for (int i = 0; i < 4; i++) {
		double v = multiply_bounds(i & 1 ? a.high : a.low,
		    i & 2 ? b.high : b.low);

		widen(&r, (struct value_range){ v, v });
	}
	return r;
}

static bool
is_arithmetic(const struct onnx_node *n)
{
	return n->n_in == 2 && (onnx_node_is(n, "Add") ||
	    onnx_node_is(n, "Sub") || onnx_node_is(n, "Mul") ||
	    onnx_node_is(n, "Div"));
}

static struct value_range
range_of_node(struct range_search *s, const struct onnx_node *n)
{
	struct value_range r;

	if (has_own_range(n, &r))
		return r;
	if (n->n_in == 0)
		return anything;
	if (is_quantiser(n))
		return range_of_quantiser(s, n);
	if (onnx_node_is(n, "Relu")) {
		r = range_of(s, n->in[0]);
		return (struct value_range){ fmax(r.low, 0), fmax(r.high, 0) };
	}
	if (onnx_node_is(n, "Clip"))
		return range_of_clip(s, n);
	if (onnx_node_is(n, "Concat"))
		return range_of_concat(s, n);
	if (is_arithmetic(n))
		return range_of_pair(s, n);
	return chooses_elements(n) ? range_of(s, n->in[0]) : anything;
}

static struct value_range
range_of(struct range_search *s, struct bytes value)
{
	const struct onnx_constant *c = onnx_graph_constant(s->g, value);
	const struct onnx_node *n = onnx_graph_maker(s->g, value);
	struct value_range r;

	if (c != NULL)
		return range_of_constant(c->tensor);
	if (n == NULL || s->depth == MOST_DEPTH || s->nodes == MOST_NODES)
		return anything;
	s->depth++;
	s->nodes++;
	r = range_of_node(s, n);
	s->depth--;
	return r;
}

struct value_range
value_range(const struct onnx_graph *g, struct bytes value)
{
	struct range_search s = { .g = g };

	return range_of(&s, value);
}
