// SPDX-License-Identifier: Apache-2.0
/* layer_rules.c - rules for layers that need more than 8 bits. */
#include <stdlib.h>
#include <string.h>

#include "cix-lint/quantising/value_range.h"
#include "cmd.h"
#include "layer_rules.h"
#include "layer_selector.h"
#include "model/onnx_graph.h"

void
layer_rules_free(struct layer_rules *r)
{
	buf_free(&r->activation_bits);
	buf_free(&r->weight_bits);
	buf_free(&r->float_op);
}

/* Adds the selector of the node, unless it is there. */
static void
put_rule(struct buf *b, const struct onnx_node *n, const char *value)
{
	struct buf rule = { 0 };

	layer_selector_put(&rule, n, value);
	cmd_check_buf(&rule);
	if (b->n == 0 || memmem(b->p, b->n, rule.p, rule.n) == NULL) {
		buf_puts(b, b->n == 0 ? " & " : " ");
		buf_add(b, rule.p, rule.n);
	}
	buf_free(&rule);
}

/* ---- Layers ------------------------------------------------------------- */

/* Rules that are made from the findings. */
struct rule_maker {
	struct layer_rules *r;
	const struct lint *l;
	enum layer_precision precision;
	struct onnx_graph graph;
	bool found;
};

/* Returns whether a finding's place, which is printable, is this name. */
static bool
is_place(const struct finding *f, struct bytes name)
{
	char *text = cmd_text("%.*s", (int)name.n, (const char *)name.p);
	bool equal;

	cmd_printable(text, strlen(text));
	equal = f->where != NULL && strcmp(f->where, text) == 0;
	free(text);
	return equal;
}

static void
add_rule(struct rule_maker *m, const struct onnx_node *n, bool table)
{
	m->found = true;
	if (m->precision == LAYER_FLOAT) {
		put_rule(&m->r->float_op, n, "float16_preferred");
		return;
	}
	put_rule(&m->r->activation_bits, n, "16");
	if (table)
		put_rule(&m->r->weight_bits, n, "16");
}

/* Adds a rule for the Concat that makes the output. */
static void
add_output(struct rule_maker *m, const struct finding *f)
{
	const struct onnx_ports *ports = &m->l->model.ports;
	const struct onnx_node *n;

	for (size_t i = 0; i < ports->n_out; i++) {
		if (!is_place(f, ports->out[i].name))
			continue;
		n = onnx_graph_maker(&m->graph, ports->out[i].name);
		for (size_t k = 0; k < m->graph.n && n != NULL &&
		    moves_elements(n) && n->n_in > 0; k++)
			n = onnx_graph_maker(&m->graph, n->in[0]);
		if (n != NULL && onnx_node_is(n, "Concat"))
			add_rule(m, n, false);
	}
}

/* Adds a rule for each Gather that takes the table. */
static void
add_table(struct rule_maker *m, const struct finding *f)
{
	for (size_t i = 0; i < m->graph.n; i++) {
		const struct onnx_node *n = &m->graph.node[i];

		if (onnx_node_is(n, "Gather") && n->n_in > 0 &&
		    is_place(f, n->in[0]))
			add_rule(m, n, true);
	}
}

bool
layer_rules_make(struct layer_rules *r, const struct lint *l,
    enum layer_precision precision)
{
	struct rule_maker m = { .r = r, .l = l, .precision = precision };
	const struct findings *all = &l->findings;
	struct npu_err err;

	layer_rules_free(r);
	if (!l->has_model)
		return false;
	if (onnx_graph_read(&m.graph, l->bytes.file, &err) < 0)
		cmd_die_err(cmd_input_name(l->path), &err);
	for (size_t i = 0; i < all->n; i++) {
		if (all->list[i].rule == RULE_MIXED_OUTPUT)
			add_output(&m, &all->list[i]);
		if (all->list[i].rule == RULE_EMBEDDING_COLLAPSE)
			add_table(&m, &all->list[i]);
	}
	onnx_graph_free(&m.graph);
	return m.found;
}
