// SPDX-License-Identifier: Apache-2.0
/* provider_gate.c - the operators that the provider does not take. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/num.h"
#include "cmd.h"
#include "gates.h"
#include "model/names.h"
#include "model/onnx_type.h"
#include "model/shapes/node.h"
#include "operators.h"
#include "value_types.h"

enum { MOST_LISTED = 8 };	/* operators in a note */

/* ---- Operators ----------------------------------------------------------- */

/* Returns whether ONNX Runtime removes the node before the provider sees it. */
static bool
is_removed(const struct onnx_node *n)
{
	return onnx_node_is(n, "Dropout") || onnx_node_is(n, "Identity");
}

static bool
is_unknown(const struct onnx_node *n)
{
	return !is_removed(n) &&
	    provider_operator_find(n->domain, n->type) == NULL;
}

/* ---- Notes --------------------------------------------------------------- */

/* Without the gate, one note for all operators. */
static void
note_all(struct gates *g, const struct operator_uses *u)
{
	struct buf b = { 0 };
	char type[80];

	if (u->n == 0)
		return;
	for (size_t i = 0; i < u->n && i < MOST_LISTED; i++) {
		names_copy(type, sizeof(type), u->list[i].first->type);
		buf_printf(&b, "%s%s", i > 0 ? ", " : "", type);
	}
	if (u->n > MOST_LISTED)
		buf_printf(&b, " and %zu more", u->n - MOST_LISTED);
	findings_add(&g->l->findings, RULE_OP_PROVIDER, LEVEL_NOTE, 0, NULL,
	    cmd_text("ONNX Runtime's provider leaves %.*s to the processor "
	    "(gate: provider)", (int)b.n, b.p), NULL);
	buf_free(&b);
}

/* ---- Errors -------------------------------------------------------------- */

static void
report_unknown(struct gates *g, const struct operator_uses *u)
{
	size_t i;

	for (i = 0; i < u->n && i < MOST_OPERATORS; i++) {
		const struct onnx_node *n = u->list[i].first;
		char *nodes = in_nodes(u->list[i].n), type[80];

		names_copy(type, sizeof(type), n->type);
		findings_add(&g->l->findings, RULE_OP_PROVIDER, LEVEL_ERROR, 0,
		    node_label(n), cmd_text("the provider does not take '%s'%s "
		    "(gate: provider)", type, nodes), cmd_copy("write it with "
		    "operators of the provider's list, or let it run on the "
		    "processor"));
		free(nodes);
	}
	if (i < u->n)
		findings_add(&g->l->findings, RULE_OP_PROVIDER, LEVEL_ERROR, 0,
		    NULL, cmd_text("the provider does not take %zu more "
		    "operators (gate: provider)", u->n - i), NULL);
}

/* Returns the types that a row allows, as a text. */
static char *
types_text(unsigned types)
{
	static const struct {
		unsigned type;
		const char *name;
	} names[] = {
		{ TYPE_I8, "s8, u8" }, { TYPE_I16, "s16, u16" },
		{ TYPE_I32, "s32" }, { TYPE_FLOAT, "f32, f16" },
		{ TYPE_BOOL, "bool" },
	};
	struct buf b = { 0 };
	char *text;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (types & names[i].type)
			buf_printf(&b, "%s%s", b.n > 0 ? ", " : "",
			    names[i].name);
	if (types & TYPE_QDQ && !(types & TYPE_FLOAT))
		buf_printf(&b, "%s", b.n > 0 ? ", or quantised on both sides" :
		    "numbers that are quantised on both sides");
	text = cmd_text("%.*s", (int)b.n, b.p);
	buf_free(&b);
	return text;
}

static void
report_types(struct gates *g, const struct operator_uses *u)
{
	for (size_t i = 0; i < u->n; i++) {
		const struct onnx_node *n = u->list[i].first;
		const struct provider_operator *row =
		    provider_operator_find(n->domain, n->type);
		char *nodes = in_nodes(u->list[i].n);
		char *types = types_text(row->types);

		findings_add(&g->l->findings, RULE_OP_PROVIDER, LEVEL_ERROR, 0,
		    node_label(n), cmd_text("the provider takes '%s' only for "
		    "%s%s (gate: provider)", row->name, types, nodes),
		    cmd_copy("quantise the model in the form QDQ"));
		free(types);
		free(nodes);
	}
}

/* An activation after a convolution is a part of the convolution. */
static bool
is_fused(const struct gates *g, const struct onnx_node *n)
{
	const struct onnx_node *maker = n->n_in == 0 ? NULL :
	    onnx_graph_maker(&g->graph, n->in[0]);

	return maker != NULL && (onnx_node_is(n, "Relu") ||
	    onnx_node_is(n, "Clip")) && (onnx_node_is(maker, "Conv") ||
	    onnx_node_is(maker, "Gemm"));
}

/* The only limit that allows a type. */
static bool
is_nearest_resize(const struct onnx_node *n, unsigned type)
{
	const struct node attributes = { .message = n->message };
	struct bytes mode;

	if (!onnx_node_is(n, "Resize") || !(type & TYPE_FLOAT))
		return false;
	mode = node_text(&attributes, "mode");
	return mode.n == 0 || bytes_start(mode, "nearest");
}

static bool
is_quantised(const struct onnx_graph *g, const struct onnx_node *n)
{
	const struct onnx_node *maker = onnx_graph_maker(g, n->in[0]);
	const struct onnx_place *place;
	size_t takers;

	if (maker != NULL && onnx_node_is(maker, "DequantizeLinear"))
		return true;
	for (uint32_t i = 0; i < n->n_out; i++) {
		place = onnx_graph_takers(g, n->out[i], &takers);
		for (size_t k = 0; k < takers; k++)
			if (onnx_node_is(&g->node[place[k].node],
			    "QuantizeLinear"))
				return true;
	}
	return false;
}

/* Returns the types of a row that the node's first input has, with TYPE_QDQ if
 * the node has a quantiser on either side; 0: unknown. */
static unsigned
type_of_node(const struct value_types *t, const struct onnx_node *n)
{
	switch (onnx_type_dtype(value_types_input(t, n,
	    onnx_node_is(n, "Where") ? 1 : 0))) {
	case NPU_S8: case NPU_U8: return TYPE_I8;
	case NPU_S16: case NPU_U16: return TYPE_I16;
	case NPU_S32: return TYPE_I32;
	case NPU_F16: case NPU_F32:
		return is_quantised(t->g, n) ? TYPE_FLOAT | TYPE_QDQ :
		    TYPE_FLOAT;
	case NPU_BOOL: return TYPE_BOOL;
	}
	return 0;
}

/* Flags the nodes whose types the provider does not take. */
static void
flag_types(struct gates *g, bool *flag)
{
	struct value_types t = { .g = &g->graph, .ports = &g->l->model.ports };
	const struct provider_operator *row;
	struct npu_err err;

	if (value_types_find(&t, g->l->bytes.file, &err) < 0)
		cmd_die_err(g->l->model_path, &err);
	for (size_t i = 0; i < g->graph.n; i++) {
		const struct onnx_node *n = &g->graph.node[i];
		unsigned type = type_of_node(&t, n);

		row = provider_operator_find(n->domain, n->type);
		flag[i] = g->flow.computed[i] && row != NULL && type != 0 &&
		    (row->types & type) == 0 && !is_fused(g, n) &&
		    !is_nearest_resize(n, type);
	}
	value_types_free(&t);
}

static void
note_limits(struct gates *g, const struct operator_uses *u)
{
	for (size_t i = 0; i < u->n; i++) {
		const struct onnx_node *n = u->list[i].first;
		const struct provider_operator *row =
		    provider_operator_find(n->domain, n->type);

		if (row != NULL && row->limit != NULL)
			findings_add(&g->l->findings, RULE_OP_PROVIDER,
			    LEVEL_NOTE, 0, node_label(n), cmd_text("the "
			    "provider's limit for '%s': %s (gate: provider)",
			    row->name, row->limit), NULL);
	}
}

void
check_provider(struct gates *g)
{
	bool named = g->l->o->gates & GATE_PROVIDER;
	bool *flag = cmd_alloc(g->graph.n + 1);
	struct operator_uses uses;

	for (size_t i = 0; i < g->graph.n; i++)
		flag[i] = g->flow.computed[i] && is_unknown(&g->graph.node[i]);
	operator_uses_read(&uses, &g->graph, flag);
	if (named)
		report_unknown(g, &uses);
	else
		note_all(g, &uses);
	operator_uses_free(&uses);
	if (named) {
		flag_types(g, flag);
		operator_uses_read(&uses, &g->graph, flag);
		report_types(g, &uses);
		operator_uses_free(&uses);
		operator_uses_read(&uses, &g->graph, g->flow.computed);
		note_limits(g, &uses);
		operator_uses_free(&uses);
	}
	free(flag);
}
