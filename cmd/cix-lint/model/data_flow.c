// SPDX-License-Identifier: Apache-2.0
/* data_flow.c - follows the data through a graph. */
#include <stdlib.h>

#include "cmd.h"
#include "data_flow.h"

static bool
is_one_of(const struct onnx_node *n, const char *const *types)
{
	for (; *types != NULL; types++)
		if (onnx_node_is(n, *types))
			return true;
	return false;
}

bool
data_flow_of(const struct onnx_graph *g, const bool *flag, struct bytes value,
    bool absent)
{
	const struct onnx_node *n = onnx_graph_maker(g, value);

	return n != NULL ? flag[n - g->node] : absent;
}

bool
data_flow_is_input(const struct onnx_graph *g, struct bytes value)
{
	return value.n > 0 && onnx_graph_maker(g, value) == NULL &&
	    onnx_graph_constant(g, value) == NULL;
}

bool
data_flow_is_computed(const struct data_flow *f, const struct onnx_graph *g,
    struct bytes value)
{
	return data_flow_of(g, f->computed, value,
	    data_flow_is_input(g, value));
}

/* ---- From the inputs ----------------------------------------------------- */

/* The operators that a mask is made with. */
static const char *const layouts[] = { "Cast", "Concat", "DequantizeLinear",
	"Expand", "Gather", "Identity", "QuantizeLinear", "Reshape", "Slice",
	"Squeeze", "Tile", "Transpose", "Unsqueeze", NULL };
static const char *const logics[] = { "And", "Cast", "Equal", "Greater",
	"GreaterOrEqual", "Less", "LessOrEqual", "Not", "Or", "Where", NULL };

/* Shapes are fixed, and so is what is computed from them. */
static bool
is_computed(const struct data_flow *f, const struct onnx_graph *g,
    const struct onnx_node *n)
{
	if (onnx_node_is(n, "Shape") || onnx_node_is(n, "Size"))
		return false;
	for (uint32_t i = 0; i < n->n_in; i++)
		if (data_flow_is_computed(f, g, n->in[i]))
			return true;
	return onnx_node_is(n, "If") || onnx_node_is(n, "Loop");
}

/* Returns whether all computed inputs of the node are masks. */
static bool
takes_mask(const struct data_flow *f, const struct onnx_graph *g,
    const struct onnx_node *n)
{
	for (uint32_t i = 0; i < n->n_in; i++)
		if (data_flow_is_computed(f, g, n->in[i]) &&
		    !data_flow_of(g, f->mask, n->in[i], true))
			return false;
	return true;
}

static bool
takes_logic(const struct data_flow *f, const struct onnx_graph *g,
    const struct onnx_node *n)
{
	for (uint32_t i = 0; i < n->n_in; i++)
		if (data_flow_of(g, f->logic, n->in[i],
		    data_flow_is_input(g, n->in[i]) && memmem(n->in[i].p,
		    n->in[i].n, "mask", 4) != NULL))
			return true;
	return false;
}

/* The nodes are in order: each takes what an earlier node made. */
static void
follow_inputs(struct data_flow *f, const struct onnx_graph *g)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct onnx_node *n = &g->node[i];
		bool logic;

		f->computed[i] = is_computed(f, g, n);
		if (!f->computed[i])
			continue;
		logic = is_one_of(n, logics);
		f->mask[i] = (logic || is_one_of(n, layouts)) &&
		    takes_mask(f, g, n);
		f->logic[i] = f->mask[i] && (logic || takes_logic(f, g, n));
	}
}

/* ---- To the end ---------------------------------------------------------- */

/* The operators by which a mask comes to the Softmax. */
static const char *const passing[] = { "Add", "Cast", "DequantizeLinear",
	"Div", "Expand", "Identity", "Max", "Min", "Mul", "QuantizeLinear",
	"Reshape", "Slice", "Squeeze", "Tile", "Transpose", "Unsqueeze",
	"Where", NULL };

static bool
is_taken_to_softmax(const struct data_flow *f, const struct onnx_graph *g,
    struct bytes value)
{
	const struct onnx_place *place;
	size_t n;

	place = onnx_graph_takers(g, value, &n);
	for (size_t i = 0; i < n; i++) {
		const struct onnx_node *taker = &g->node[place[i].node];

		if (onnx_node_is(taker, "Softmax") || (f->to_softmax[
		    place[i].node] && is_one_of(taker, passing)))
			return true;
	}
	return false;
}

static void
follow_outputs(struct data_flow *f, const struct onnx_graph *g)
{
	for (size_t i = g->n; i-- > 0;)
		for (uint32_t k = 0; k < g->node[i].n_out; k++)
			if (g->node[i].out[k].n > 0 &&
			    is_taken_to_softmax(f, g, g->node[i].out[k]))
				f->to_softmax[i] = true;
}

void
data_flow_read(struct data_flow *f, const struct onnx_graph *g)
{
	f->computed = cmd_alloc(g->n + 1);
	f->mask = cmd_alloc(g->n + 1);
	f->logic = cmd_alloc(g->n + 1);
	f->to_softmax = cmd_alloc(g->n + 1);
	follow_inputs(f, g);
	follow_outputs(f, g);
}

void
data_flow_free(struct data_flow *f)
{
	free(f->computed);
	free(f->mask);
	free(f->logic);
	free(f->to_softmax);
}
