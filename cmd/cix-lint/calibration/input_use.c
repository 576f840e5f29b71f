// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "cix-lint/quantising/value_range.h"
#include "input_use.h"
#include "model/onnx_numbers.h"
#include "model/shapes/node.h"

enum {
	MOST_STEPS = 16,	/* nodes that move elements, in a row */
	MOST_TAKERS = 64,	/* of a value: the others are not looked at */
	MOST_WEIGHTS = 4096,	/* of a layer */
};

/* Weights of a layer for numbers up to 255 are below this: usual weights are
 * from 0.1 to 1, and 255 times smaller if the scale is in them. */
#define SMALL_WEIGHTS 0.02f

/* Returns whether the node scales or shifts numbers, or makes others that no
 * longer depend on their scale. */
static bool
is_scaling(const struct onnx_node *n)
{
	static const char *const types[] = {
		"Sub", "Div", "Mul", "Add", "BatchNormalization",
		"InstanceNormalization", "LayerNormalization",
		"GroupNormalization", "LpNormalization", "Gather", "OneHot",
		"Equal", "Less", "Greater", NULL,
	};

	return onnx_node_is_any(n, types);
}

/* Returns whether the weights of a layer are for large numbers. */
static bool
has_small_weights(const struct onnx_graph *g, const struct onnx_node *n)
{
	const struct onnx_constant *c;
	struct onnx_numbers r;
	float w[MOST_WEIGHTS], most = 0;
	size_t got;

	if (n->n_in < 2 || (!onnx_node_is(n, "Conv") &&
	    !onnx_node_is(n, "Gemm") && !onnx_node_is(n, "MatMul")) ||
	    (c = onnx_graph_constant(g, n->in[1])) == NULL ||
	    onnx_numbers_begin(&r, c->tensor, NULL) < 0 || r.external)
		return false;
	got = onnx_numbers_read(&r, w, MOST_WEIGHTS);
	for (size_t i = 0; i < got; i++)
		most = fmaxf(most, fabsf(w[i]));
	return most < SMALL_WEIGHTS;
}

/* Notes the table of a Gather whose indices are the numbers. */
static void
use_table(const struct onnx_graph *g, const struct onnx_node *n,
    struct input_use *u)
{
	const struct onnx_constant *c = onnx_graph_constant(g, n->in[0]);
	struct node attributes = { .type = { NULL, 0 } };
	struct onnx_numbers r;
	double axis;

	if (c == NULL || onnx_numbers_begin(&r, c->tensor, NULL) < 0 ||
	    !node_read(&attributes, n->message)) {
		node_free(&attributes);
		return;
	}
	axis = node_number(&attributes, "axis", 0);
	node_free(&attributes);
	axis += axis < 0 ? r.ndim : 0;
	if (!(axis >= 0 && axis < r.ndim) ||
	    (u->rows != 0 && u->rows <= r.dim[(size_t)axis]))
		return;
	u->rows = r.dim[(size_t)axis];
	u->table = c->name;
}

static void
use_node(const struct onnx_graph *g, const struct onnx_place *at,
    struct input_use *u)
{
	const struct onnx_node *n = &g->node[at->node];
	struct quantiser q;

	u->scaled |= is_scaling(n) || has_small_weights(g, n) ||
	    (quantiser_read(g, n, &q) && q.range.high - q.range.low > 200);
	if (onnx_node_is(n, "Gather") && at->port == 1)
		use_table(g, n, u);
}

struct input_use
input_use_find(const struct onnx_graph *g, struct bytes input)
{
	struct input_use u = { .scaled = false };
	const struct onnx_place *at;
	struct bytes value = input, next;
	size_t n;

	for (int step = 0; step < MOST_STEPS && value.n > 0; step++) {
		at = onnx_graph_takers(g, value, &n);
		next = (struct bytes){ NULL, 0 };
		for (size_t i = 0; i < n && i < MOST_TAKERS; i++) {
			const struct onnx_node *node = &g->node[at[i].node];

			use_node(g, &at[i], &u);
			if (at[i].port == 0 && node->n_out > 0 &&
			    (moves_elements(node) || onnx_node_is(node,
			    "QuantizeLinear") || onnx_node_is(node,
			    "DequantizeLinear")))
				next = node->out[0];
		}
		value = next;
	}
	return u;
}
