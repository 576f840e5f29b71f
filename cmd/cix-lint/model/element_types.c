// SPDX-License-Identifier: Apache-2.0
/* element_types.c - follows the types of elements through a graph. */
#include <stdlib.h>

#include "cmd.h"
#include "element_types.h"
#include "model/onnx_numbers.h"
#include "model/onnx_type.h"
#include "model/shapes/node.h"
#include "operators.h"

static unsigned
type_of(uint32_t dtype)
{
	switch (dtype) {
	case NPU_S8: case NPU_U8: return TYPE_I8;
	case NPU_S16: case NPU_U16: return TYPE_I16;
	case NPU_S32: return TYPE_I32;
	case NPU_F16: case NPU_F32: return TYPE_FLOAT;
	case NPU_BOOL: return TYPE_BOOL;
	}
	return 0;
}

/* ---- Values -------------------------------------------------------------- */

static int
by_name(const void *a, const void *b)
{
	return bytes_compare((*(const struct onnx_port *const *)a)->name,
	    (*(const struct onnx_port *const *)b)->name);
}

static unsigned
type_of_value(const struct element_types *t, struct bytes value)
{
	const struct onnx_node *maker = onnx_graph_maker(t->graph, value);
	const struct onnx_constant *c;
	const struct onnx_port key = { .name = value }, *k = &key, **found;
	struct onnx_numbers r;

	if ((c = onnx_graph_constant(t->graph, value)) != NULL)
		return onnx_numbers_begin(&r, c->tensor, NULL) < 0 ? 0 :
		    type_of(r.dtype);
	if (maker != NULL)
		return t->made[maker - t->graph->node];
	found = bsearch(&k, t->input, t->n, sizeof(*t->input), by_name);
	return found != NULL ? type_of((*found)->dtype) : 0;
}

/* ---- Nodes --------------------------------------------------------------- */

static unsigned
type_of_input(const struct element_types *t, const struct onnx_node *n,
    uint32_t i)
{
	return i < n->n_in ? type_of_value(t, n->in[i]) : 0;
}

/* Returns the type that the node makes.  Most make what they take. */
static unsigned
made_by(const struct element_types *t, const struct onnx_node *n)
{
	static const char *const logic[] = { "And", "Equal", "Greater",
	    "GreaterOrEqual", "Less", "LessOrEqual", "Not", "Or", NULL };
	static const char *const integers[] = { "ArgMax", "ArgMin",
	    "NonMaxSuppression", "NonZero", "Shape", "Size", NULL };
	const struct node attributes = { .message = n->message };

	if (onnx_node_is_any(n, logic))
		return TYPE_BOOL;
	if (onnx_node_is_any(n, integers))
		return 0;
	if (onnx_node_is(n, "Cast"))
		return type_of(onnx_type_dtype((uint64_t)node_number(
		    &attributes, "to", 0)));
	if (onnx_node_is(n, "DequantizeLinear"))
		return TYPE_FLOAT;
	if (onnx_node_is(n, "QuantizeLinear"))
		return n->n_in > 2 ? type_of_input(t, n, 2) : TYPE_I8;
	if (onnx_node_is(n, "DynamicQuantizeLinear"))
		return TYPE_I8;
	if (onnx_node_is(n, "ConvInteger") || onnx_node_is(n, "MatMulInteger"))
		return TYPE_I32;
	return type_of_input(t, n, onnx_node_is(n, "Where") ? 1 : 0);
}

void
element_types_read(struct element_types *t, const struct lint *l,
    const struct onnx_graph *g)
{
	const struct onnx_ports *p = &l->model.ports;

	*t = (struct element_types){ .graph = g, .n = p->n_in };
	t->input = cmd_alloc((p->n_in + 1) * sizeof(*t->input));
	t->made = cmd_alloc(g->n + 1);
	for (size_t i = 0; i < p->n_in; i++)
		t->input[i] = &p->in[i];
	qsort(t->input, t->n, sizeof(*t->input), by_name);
	for (size_t i = 0; i < g->n; i++)
		t->made[i] = (uint8_t)made_by(t, &g->node[i]);
}

void
element_types_free(struct element_types *t)
{
	free(t->input);
	free(t->made);
}

/* ---- Quantisers ---------------------------------------------------------- */

static bool
is_quantised(const struct element_types *t, const struct onnx_node *n)
{
	const struct onnx_node *maker = onnx_graph_maker(t->graph, n->in[0]);
	const struct onnx_place *place;
	size_t takers;

	if (maker != NULL && onnx_node_is(maker, "DequantizeLinear"))
		return true;
	for (uint32_t i = 0; i < n->n_out; i++) {
		place = onnx_graph_takers(t->graph, n->out[i], &takers);
		for (size_t k = 0; k < takers; k++)
			if (onnx_node_is(&t->graph->node[place[k].node],
			    "QuantizeLinear"))
				return true;
	}
	return false;
}

unsigned
element_types_of(const struct element_types *t, const struct onnx_node *n)
{
	unsigned type = type_of_input(t, n, onnx_node_is(n, "Where") ? 1 : 0);

	return type == TYPE_FLOAT && is_quantised(t, n) ? TYPE_FLOAT |
	    TYPE_QDQ : type;
}
