// SPDX-License-Identifier: Apache-2.0
/* value_types.c - element types follow from operators. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/onnx.h"
#include "model/onnx_tensor.h"
#include "model/shapes/node.h"
#include "value_types.h"

/* Numbers of onnx_type.h. */
enum { UNKNOWN = 0, FLOAT = 1, UINT8 = 2, INT32 = 6, INT64 = 7, BOOL = 9,
    MOST = 255 };

/* Field numbers of onnx.proto. */
enum { MODEL_GRAPH = 7, GRAPH_VALUE_INFO = 13 };

/* Where the type of an output comes from. */
enum source { INPUT, FIXED, ATTRIBUTE, TENSOR, NOWHERE };

/* A rule for an operator's output; most operators have none, and make what
 * their first input is. */
static const struct type_rule {
	const char *op;
	enum source source;
	uint8_t input;		/* INPUT: which */
	uint8_t type;		/* FIXED; of others, without the attribute or
				   the input */
	const char *attribute;
	uint32_t first;		/* the output, or the first of several */
} rules[] = {
	{ "ArgMax", FIXED, 0, INT64, NULL, 0 },
	{ "ArgMin", FIXED, 0, INT64, NULL, 0 },
	{ "Bernoulli", ATTRIBUTE, 0, UNKNOWN, "dtype", 0 },
	{ "Cast", ATTRIBUTE, 0, UNKNOWN, "to", 0 },
	{ "CastLike", INPUT, 1, UNKNOWN, NULL, 0 },
	{ "ConcatFromSequence", NOWHERE, 0, UNKNOWN, NULL, 0 },
	{ "Constant", TENSOR, 0, UNKNOWN, "value", 0 },
	{ "ConstantOfShape", TENSOR, 0, FLOAT, "value", 0 },
	{ "ConvInteger", FIXED, 0, INT32, NULL, 0 },
	{ "DequantizeLinear", INPUT, 1, UNKNOWN, NULL, 0 },
	{ "Dropout", FIXED, 0, BOOL, NULL, 1 },
	{ "DynamicQuantizeLinear", FIXED, 0, UINT8, NULL, 0 },
	{ "DynamicQuantizeLinear", FIXED, 0, FLOAT, NULL, 1 },
	{ "DynamicQuantizeLinear", FIXED, 0, UINT8, NULL, 2 },
	{ "Equal", FIXED, 0, BOOL, NULL, 0 },
	{ "EyeLike", ATTRIBUTE, 0, UNKNOWN, "dtype", 0 },
	{ "Greater", FIXED, 0, BOOL, NULL, 0 },
	{ "GreaterOrEqual", FIXED, 0, BOOL, NULL, 0 },
	{ "If", NOWHERE, 0, UNKNOWN, NULL, 0 },
	{ "ImageDecoder", NOWHERE, 0, UNKNOWN, NULL, 0 },
	{ "IsInf", FIXED, 0, BOOL, NULL, 0 },
	{ "IsNaN", FIXED, 0, BOOL, NULL, 0 },
	{ "LayerNormalization", NOWHERE, 0, UNKNOWN, NULL, 1 },
	{ "Less", FIXED, 0, BOOL, NULL, 0 },
	{ "LessOrEqual", FIXED, 0, BOOL, NULL, 0 },
	{ "Loop", NOWHERE, 0, UNKNOWN, NULL, 0 },
	{ "MatMulInteger", FIXED, 0, INT32, NULL, 0 },
	{ "MaxPool", FIXED, 0, INT64, NULL, 1 },
	{ "MelWeightMatrix", NOWHERE, 0, UNKNOWN, NULL, 0 },
	{ "Multinomial", NOWHERE, 0, UNKNOWN, NULL, 0 },
	{ "NonMaxSuppression", FIXED, 0, INT64, NULL, 0 },
	{ "NonZero", FIXED, 0, INT64, NULL, 0 },
	{ "OneHot", INPUT, 2, UNKNOWN, NULL, 0 },
	{ "OptionalGetElement", NOWHERE, 0, UNKNOWN, NULL, 0 },
	{ "OptionalHasElement", FIXED, 0, BOOL, NULL, 0 },
	{ "QLinearConv", INPUT, 7, UNKNOWN, NULL, 0 },
	{ "QLinearMatMul", INPUT, 7, UNKNOWN, NULL, 0 },
	{ "QuantizeLinear", INPUT, 2, UINT8, NULL, 0 },
	{ "RandomNormal", ATTRIBUTE, 0, FLOAT, "dtype", 0 },
	{ "RandomNormalLike", ATTRIBUTE, 0, UNKNOWN, "dtype", 0 },
	{ "RandomUniform", ATTRIBUTE, 0, FLOAT, "dtype", 0 },
	{ "RandomUniformLike", ATTRIBUTE, 0, UNKNOWN, "dtype", 0 },
	{ "RegexFullMatch", FIXED, 0, BOOL, NULL, 0 },
	{ "Scan", NOWHERE, 0, UNKNOWN, NULL, 0 },
	{ "SequenceAt", NOWHERE, 0, UNKNOWN, NULL, 0 },
	{ "SequenceConstruct", NOWHERE, 0, UNKNOWN, NULL, 0 },
	{ "SequenceLength", FIXED, 0, INT64, NULL, 0 },
	{ "Shape", FIXED, 0, INT64, NULL, 0 },
	{ "Size", FIXED, 0, INT64, NULL, 0 },
	{ "SplitToSequence", NOWHERE, 0, UNKNOWN, NULL, 0 },
	{ "StringConcat", NOWHERE, 0, UNKNOWN, NULL, 0 },
	{ "StringSplit", NOWHERE, 0, UNKNOWN, NULL, 0 },
	{ "TfIdfVectorizer", FIXED, 0, FLOAT, NULL, 0 },
	{ "TopK", FIXED, 0, INT64, NULL, 1 },
	{ "Unique", FIXED, 0, INT64, NULL, 1 },
	{ "Where", INPUT, 1, UNKNOWN, NULL, 0 },
};

/* Of ONNX Runtime: the operators whose first output is like their input. */
static const char *const runtime_ops[] = {
	"Attention", "BiasAdd", "BiasGelu", "BiasSplitGelu", "FastGelu",
	"FusedConv", "FusedGemm", "FusedMatMul", "Gelu", "GroupNorm",
	"GroupQueryAttention", "LayerNormalization", "MultiHeadAttention",
	"NhwcMaxPool", "QuickGelu", "RotaryEmbedding",
	"SimplifiedLayerNormalization", "SkipLayerNormalization",
	"SkipSimplifiedLayerNormalization",
};

/* Returns the place of an output's type. */
static uint8_t *
slot(const struct value_types *t, const struct onnx_node *n, uint32_t port)
{
	return &t->type[n->out + port - t->g->value];
}

static uint8_t
checked(uint64_t type)
{
	return type <= MOST ? (uint8_t)type : UNKNOWN;
}

/* ---- Values -------------------------------------------------------------- */

static uint8_t
type_of_tensor(struct bytes tensor)
{
	struct onnx_tensor c;

	return onnx_tensor_read(&c, tensor, NULL) == 0 ? checked(c.type) :
	    UNKNOWN;
}

static int
by_name(const void *a, const void *b)
{
	return bytes_compare((*(const struct onnx_port *const *)a)->name,
	    (*(const struct onnx_port *const *)b)->name);
}

static uint8_t
type_of_model_input(const struct value_types *t, struct bytes name)
{
	const struct onnx_port key = { .name = name }, *k = &key, **found;

	found = bsearch(&k, t->in, t->ports->n_in, sizeof(*t->in), by_name);
	return found != NULL && (*found)->dtype != NPU_NONE ?
	    checked((*found)->type) : UNKNOWN;
}

/* Returns the place of a value that a node makes, or NULL. */
static uint8_t *
find_slot(const struct value_types *t, struct bytes name)
{
	const struct onnx_node *n = onnx_graph_maker(t->g, name);

	for (uint32_t i = 0; n != NULL && i < n->n_out; i++)
		if (bytes_compare(n->out[i], name) == 0)
			return slot(t, n, i);
	return NULL;
}

static uint8_t
type_of_value(const struct value_types *t, struct bytes name)
{
	const struct onnx_constant *c = onnx_graph_constant(t->g, name);
	const uint8_t *made;

	if (c != NULL)
		return type_of_tensor(c->tensor);
	made = find_slot(t, name);
	return made != NULL ? *made : type_of_model_input(t, name);
}

/* ---- Operators ----------------------------------------------------------- */

static uint8_t
type_of_input(const struct value_types *t, const struct onnx_node *n,
    uint32_t i)
{
	return i < n->n_in && n->in[i].n > 0 ? type_of_value(t, n->in[i]) :
	    UNKNOWN;
}

static uint8_t
type_by_attribute(const struct onnx_node *n, const struct type_rule *r)
{
	const struct node attributes = { .message = n->message };
	struct bytes tensor = { 0 };
	double type;

	if (r->source == TENSOR)
		return node_tensor(&attributes, r->attribute, &tensor) ?
		    type_of_tensor(tensor) : r->type;
	type = node_number(&attributes, r->attribute, 0);
	return type > 0 && type <= MOST ? (uint8_t)type : r->type;
}

/* Returns the rule of the output: the last whose first output is not later. */
static const struct type_rule *
find_rule(const struct onnx_node *n, uint32_t port)
{
	const struct type_rule *found = NULL;

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].first <= port && onnx_node_is(n, rules[i].op))
			found = &rules[i];
	return found;
}

static uint8_t
type_by_rule(const struct value_types *t, const struct onnx_node *n,
    const struct type_rule *r)
{
	uint8_t type;

	switch (r->source) {
	case INPUT:
		return r->input < n->n_in && n->in[r->input].n > 0 ?
		    type_of_input(t, n, r->input) : r->type;
	case FIXED: return r->type;
	case ATTRIBUTE: case TENSOR:
		type = type_by_attribute(n, r);
		/* Operators like RandomNormalLike take their input's type. */
		return type == UNKNOWN ? type_of_input(t, n, 0) : type;
	case NOWHERE: break;
	}
	return UNKNOWN;
}

static bool
is_runtime_op(const struct onnx_node *n)
{
	for (size_t i = 0; i < sizeof(runtime_ops) / sizeof(*runtime_ops); i++)
		if (bytes_is(n->type, runtime_ops[i]))
			return true;
	return false;
}

static uint8_t
infer(const struct value_types *t, const struct onnx_node *n, uint32_t port)
{
	const struct type_rule *r;

	if (bytes_is(n->domain, "com.microsoft")) {
		if (bytes_is(n->type, "DequantizeLinear"))
			return type_of_input(t, n, 1);
		return port == 0 && is_runtime_op(n) ? type_of_input(t, n, 0) :
		    UNKNOWN;
	}
	if (!onnx_is_standard(n->domain))
		return UNKNOWN;
	r = find_rule(n, port);
	return r != NULL ? type_by_rule(t, n, r) : type_of_input(t, n, 0);
}

/* ---- Stated types -------------------------------------------------------- */

static void
take_port(const struct value_types *t, const struct onnx_port *p)
{
	uint8_t *made = find_slot(t, p->name);

	if (made != NULL && p->dtype != NPU_NONE)
		*made = checked(p->type);
}

static int
visit(void *arg, enum onnx_message in, unsigned depth,
    const struct pb_field *f, struct npu_err *err)
{
	struct onnx_port p;

	(void)err;
	if (in == ONNX_MODEL)
		return f->number == MODEL_GRAPH ? 0 : ONNX_SKIP;
	if (in == ONNX_GRAPH && depth == 1 && f->wire == PB_LENGTH &&
	    f->number == GRAPH_VALUE_INFO && onnx_port_read(f->data, &p))
		take_port(arg, &p);
	return ONNX_SKIP;
}

/* ---- All nodes ----------------------------------------------------------- */

/* Nodes are in order: the types of a node's inputs are known before. */
static void
infer_all(const struct value_types *t)
{
	const struct onnx_graph *g = t->g;

	for (size_t i = 0; i < g->n; i++)
		for (uint32_t k = 0; k < g->node[i].n_out; k++) {
			uint8_t *type = slot(t, &g->node[i], k);

			if (*type == UNKNOWN)
				*type = infer(t, &g->node[i], k);
		}
}

int
value_types_find(struct value_types *t, struct bytes onnx, struct npu_err *err)
{
	size_t n = 0;
	int rc;

	for (size_t i = 0; i < t->g->n; i++)
		n += t->g->node[i].n_in + t->g->node[i].n_out;
	t->type = calloc(n + 1, sizeof(*t->type));
	t->in = calloc(t->ports->n_in + 1, sizeof(*t->in));
	if (t->type == NULL || t->in == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	for (size_t i = 0; i < t->ports->n_in; i++)
		t->in[i] = &t->ports->in[i];
	qsort(t->in, t->ports->n_in, sizeof(*t->in), by_name);
	if ((rc = onnx_walk(onnx, visit, t, err)) < 0)
		return rc;
	for (size_t i = 0; i < t->ports->n_out; i++)
		take_port(t, &t->ports->out[i]);
	infer_all(t);
	return 0;
}

void
value_types_free(struct value_types *t)
{
	free(t->type);
	free(t->in);
	t->type = NULL;
	t->in = NULL;
}

unsigned
value_types_output(const struct value_types *t, const struct onnx_node *n,
    uint32_t port)
{
	return *slot(t, n, port);
}

unsigned
value_types_input(const struct value_types *t, const struct onnx_node *n,
    uint32_t i)
{
	return type_of_input(t, n, i);
}
