// SPDX-License-Identifier: Apache-2.0
/* single_nodes.c - Reshape and BatchNormalization. */
#include <stdlib.h>

#include "cmd.h"
#include "gates.h"
#include "model/onnx_numbers.h"
#include "model/shapes/node.h"

enum { MOST_SIZES = 64 };	/* of a shape in a Reshape */

typedef bool node_test(const struct gates *g, const struct onnx_node *n);

/* Reports the nodes that pass the test, in one finding. */
static void
report_nodes(struct gates *g, enum rule rule, node_test *test,
    const char *message, const char *fix)
{
	bool *flag = cmd_alloc(g->graph.n + 1);
	struct operator_uses uses;
	char *nodes;

	for (size_t i = 0; i < g->graph.n; i++)
		flag[i] = test(g, &g->graph.node[i]);
	operator_uses_read(&uses, &g->graph, flag);
	for (size_t i = 0; i < uses.n; i++) {
		nodes = in_nodes(uses.list[i].n);
		findings_add(&g->l->findings, rule, gate_level(g,
		    GATE_PROVIDER, LEVEL_WARNING), 0,
		    node_label(uses.list[i].first), cmd_text("%s%s (gate: "
		    "provider)", message, nodes), cmd_copy(fix));
		free(nodes);
	}
	operator_uses_free(&uses);
	free(flag);
}

/* ---- Reshape ------------------------------------------------------------- */

/* Returns whether a constant shape has a 0.  With allowzero, 0 is a size. */
static bool
has_zero(const struct gates *g, const struct onnx_node *n)
{
	const struct node attributes = { .message = n->message };
	const struct onnx_constant *c;
	float sizes[MOST_SIZES];
	struct onnx_numbers r;
	size_t count;

	if (!onnx_node_is(n, "Reshape") || n->n_in < 2 ||
	    node_number(&attributes, "allowzero", 0) != 0)
		return false;
	c = onnx_graph_constant(&g->graph, n->in[1]);
	if (c == NULL || onnx_numbers_begin(&r, c->tensor, NULL) < 0 ||
	    r.external)
		return false;
	count = onnx_numbers_read(&r, sizes, MOST_SIZES);
	for (size_t i = 0; i < count; i++)
		if (sizes[i] == 0)
			return true;
	return false;
}

void
check_reshape(struct gates *g)
{
	report_nodes(g, RULE_RESHAPE_ZERO, has_zero, "the shape of "
	    "Reshape has a 0, which copies a size of the input", "write the "
	    "size itself in place of 0, or simplify the model with onnxsim");
}

/* ---- BatchNormalization -------------------------------------------------- */

/* Returns the node that makes the value, past the nodes that a builder removes
 * or folds: quantisers, and the addition of a bias. */
static const struct onnx_node *
real_maker(const struct gates *g, struct bytes value)
{
	static const char *const passed[] = { "DequantizeLinear", "Dropout",
	    "Identity", "QuantizeLinear", "Squeeze", "Unsqueeze", NULL };
	const struct onnx_node *n;

	for (unsigned steps = 0; steps < 8; steps++) {
		bool pass;

		n = onnx_graph_maker(&g->graph, value);
		if (n == NULL || n->n_in == 0)
			return n;
		pass = onnx_node_is_any(n, passed);
		value = n->in[0];
		if (onnx_node_is(n, "Add") && n->n_in == 2) {
			bool first = data_flow_is_computed(&g->flow, &g->graph,
			    n->in[0]);

			pass = first != data_flow_is_computed(&g->flow,
			    &g->graph, n->in[1]);
			value = n->in[first ? 0 : 1];
		}
		if (!pass)
			return n;
	}
	return NULL;
}

/* Returns whether nothing can take in the node's factors. */
static bool
is_alone(const struct gates *g, const struct onnx_node *n)
{
	static const char *const takes[] = { "Conv", "ConvInteger",
	    "ConvTranspose", "Gemm", "MatMul", "MatMulInteger", "QLinearConv",
	    "QLinearMatMul", NULL };
	const struct onnx_node *maker;

	if (!onnx_node_is(n, "BatchNormalization") || n->n_in == 0)
		return false;
	maker = real_maker(g, n->in[0]);
	return maker == NULL || !onnx_node_is_any(maker, takes);
}

void
check_batchnorm(struct gates *g)
{
	report_nodes(g, RULE_BATCHNORM_ALONE, is_alone,
	    "BatchNormalization has no Conv or Gemm before it that could take "
	    "in its factors", "put it after a Conv or Gemm before export, or "
	    "write it as Mul and Add");
}
