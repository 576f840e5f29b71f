// SPDX-License-Identifier: Apache-2.0
/*
 * kernel_gate.c - the operators of masks, for which the builder's library of
 * kernels may have none.  An owner of a board found that attention masks do not
 * compile because of Sub, Equal and Where.
 */
#include <stdlib.h>

#include "cmd.h"
#include "gates.h"

/* ---- Masks --------------------------------------------------------------- */

/* Returns whether the node is 1 - mask or mask - 1. */
static bool
is_mask_sub(const struct gates *g, const struct onnx_node *n)
{
	const struct data_flow *f = &g->flow;
	bool first, second;
	struct bytes mask;

	if (n->n_in != 2)
		return false;
	first = data_flow_is_computed(f, &g->graph, n->in[0]);
	second = data_flow_is_computed(f, &g->graph, n->in[1]);
	if (first == second)
		return false;
	mask = n->in[first ? 0 : 1];
	if (!data_flow_of(&g->graph, f->mask, mask, true))
		return false;
	return f->to_softmax[n - g->graph.node] || (second &&
	    data_flow_of(&g->graph, f->logic, mask,
	    memmem(mask.p, mask.n, "mask", 4) != NULL));
}

static bool
is_masking(const struct gates *g, const struct onnx_node *n)
{
	if (!g->flow.computed[n - g->graph.node])
		return false;
	if (onnx_node_is(n, "Equal") || onnx_node_is(n, "Where"))
		return true;
	return onnx_node_is(n, "Sub") && is_mask_sub(g, n);
}

/* ---- Findings ------------------------------------------------------------ */

static void
report(struct gates *g, const struct operator_use *use)
{
	char *nodes = in_nodes(use->n);

	findings_add(&g->l->findings, RULE_OP_KERNEL,
	    gate_level(g, GATE_KERNEL, LEVEL_WARNING), 0,
	    node_label(use->first), cmd_text("the kernel library may not have "
	    "'%.*s', as masks use it%s (gate: kernel)",
	    (int)use->first->type.n, (const char *)use->first->type.p, nodes),
	    cmd_copy("compute the mask before the model runs and add it as an "
	    "input, or leave it out and run with full length"));
	free(nodes);
}

void
check_kernel(struct gates *g)
{
	bool *masking = cmd_alloc(g->graph.n + 1);
	struct operator_uses uses;

	for (size_t i = 0; i < g->graph.n; i++)
		masking[i] = is_masking(g, &g->graph.node[i]);
	operator_uses_read(&uses, &g->graph, masking);
	for (size_t i = 0; i < uses.n; i++)
		report(g, &uses.list[i]);
	operator_uses_free(&uses);
	free(masking);
}
