// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/onnx.h"
#include "model/onnx_graph.h"
#include "model/shapes/node.h"

/* Field numbers of onnx.proto. */
enum { MODEL_GRAPH = 7 };
enum { GRAPH_NODE = 1, GRAPH_INITIALIZER = 5 };
enum {
	NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_OP_TYPE = 4,
	NODE_DOMAIN = 7,
};
enum { TENSOR_NAME = 8 };

/* The lists while they grow. */
struct growing {
	struct buf nodes, constants, values;
};

static int
damaged(struct npu_err *err, const char *what)
{
	return npu_fail(err, NPU_EFORMAT, "not an ONNX model: %s is damaged",
	    what);
}

/* ---- Nodes ------------------------------------------------------------
 *
 * While values grows, a node has only the numbers of its values. */

static void
take_field(struct growing *g, struct onnx_node *n, const struct pb_field *f,
    unsigned number)
{
	if (f->number != number)
		return;
	buf_add(&g->values, &f->data, sizeof(f->data));
	if (number == NODE_INPUT)
		n->n_in++;
	else
		n->n_out++;
}

/* Reads the fields of the node.  Its inputs precede its outputs in values. */
static bool
read_node(struct growing *g, struct onnx_node *n, struct bytes message)
{
	struct pb_field f;

	*n = (struct onnx_node){ .message = message };
	for (unsigned pass = NODE_INPUT; pass <= NODE_OUTPUT; pass++)
		for (uint64_t at = 0; at < message.n;) {
			if (!pb_next(message, &at, &f))
				return false;
			if (f.wire != PB_LENGTH)
				continue;
			take_field(g, n, &f, pass);
			switch (f.number) {
			case NODE_NAME: n->name = f.data; break;
			case NODE_OP_TYPE: n->type = f.data; break;
			case NODE_DOMAIN: n->domain = f.data; break;
			}
		}
	return true;
}

bool
onnx_is_standard(struct bytes domain)
{
	return domain.n == 0 || bytes_is(domain, "ai.onnx");
}

bool
onnx_node_is(const struct onnx_node *n, const char *type)
{
	return bytes_is(n->type, type) && onnx_is_standard(n->domain);
}

bool
onnx_node_is_any(const struct onnx_node *n, const char *const *types)
{
	for (; *types != NULL; types++)
		if (onnx_node_is(n, *types))
			return true;
	return false;
}

/* A Constant whose value is a tensor is a constant. */
static void
add_constant_node(struct growing *g, const struct onnx_node *n, size_t index)
{
	const struct node attributes = { .message = n->message };
	struct onnx_constant c = { .node = index };

	if (!onnx_node_is(n, "Constant") || n->n_out != 1 || g->values.failed ||
	    !node_tensor(&attributes, "value", &c.tensor))
		return;
	memcpy(&c.name, g->values.p + g->values.n - sizeof(c.name),
	    sizeof(c.name));
	buf_add(&g->constants, &c, sizeof(c));
}

static int
add_node(struct growing *g, struct bytes message, struct npu_err *err)
{
	struct onnx_node n;

	if (!read_node(g, &n, message))
		return damaged(err, "a node");
	add_constant_node(g, &n, g->nodes.n / sizeof(n));
	buf_add(&g->nodes, &n, sizeof(n));
	return 0;
}

/* ---- Initializers -------------------------------------------------------- */

static int
add_initializer(struct growing *g, struct bytes tensor, struct npu_err *err)
{
	struct onnx_constant c = { .tensor = tensor, .node = ONNX_NO_NODE };
	struct pb_field f;
	uint64_t at = 0;

	while (at < tensor.n) {
		if (!pb_next(tensor, &at, &f))
			return damaged(err, "a tensor");
		if (f.number == TENSOR_NAME && f.wire == PB_LENGTH)
			c.name = f.data;
	}
	buf_add(&g->constants, &c, sizeof(c));
	return 0;
}

static int
visit(void *arg, enum onnx_message in, unsigned depth,
    const struct pb_field *f, struct npu_err *err)
{
	struct growing *g = arg;
	int rc = 0;

	if (in == ONNX_MODEL)
		return f->number == MODEL_GRAPH ? 0 : ONNX_SKIP;
	if (in != ONNX_GRAPH || depth != 1 || f->wire != PB_LENGTH)
		return ONNX_SKIP;
	if (f->number == GRAPH_NODE)
		rc = add_node(g, f->data, err);
	if (f->number == GRAPH_INITIALIZER)
		rc = add_initializer(g, f->data, err);
	return rc < 0 ? rc : ONNX_SKIP;
}

/* ---- Lists by name ------------------------------------------------------- */

static int
by_place(const void *pa, const void *pb)
{
	const struct onnx_place *a = pa, *b = pb;
	int c = bytes_compare(a->name, b->name);

	if (c != 0)
		return c;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return a->port < b->port ? -1 : a->port > b->port;
}

static int
by_constant(const void *pa, const void *pb)
{
	const struct onnx_constant *a = pa, *b = pb;

	return bytes_compare(a->name, b->name);
}

static void
add_places(struct onnx_place *place, size_t *n, size_t node,
    const struct bytes *name, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (name[i].n > 0)
			place[(*n)++] = (struct onnx_place){ name[i], node, i };
}

/* Gives each node its values, and lists who makes and takes them. */
static int
index_values(struct onnx_graph *g, size_t n_values, struct npu_err *err)
{
	struct bytes *value = g->value;

	g->maker = malloc((n_values + 1) * sizeof(*g->maker));
	g->taker = malloc((n_values + 1) * sizeof(*g->taker));
	if (g->maker == NULL || g->taker == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	/* Without values, value is NULL. */
	for (size_t i = 0; i < g->n && value != NULL; i++) {
		struct onnx_node *n = &g->node[i];

		n->in = value;
		n->out = value + n->n_in;
		value += n->n_in + n->n_out;
		add_places(g->taker, &g->n_takers, i, n->in, n->n_in);
		add_places(g->maker, &g->n_makers, i, n->out, n->n_out);
	}
	qsort(g->maker, g->n_makers, sizeof(*g->maker), by_place);
	qsort(g->taker, g->n_takers, sizeof(*g->taker), by_place);
	if (g->n_constants > 0)
		qsort(g->constant, g->n_constants, sizeof(*g->constant),
		    by_constant);
	return 0;
}

int
onnx_graph_read(struct onnx_graph *g, struct bytes onnx, struct npu_err *err)
{
	struct growing lists = { .nodes = { 0 } };
	int rc = onnx_walk(onnx, visit, &lists, err);

	*g = (struct onnx_graph){
		.node = (void *)lists.nodes.p,
		.n = lists.nodes.n / sizeof(*g->node),
		.constant = (void *)lists.constants.p,
		.n_constants = lists.constants.n / sizeof(*g->constant),
		.value = (void *)lists.values.p,
	};
	if (rc < 0)
		return rc;
	if (lists.nodes.failed || lists.constants.failed ||
	    lists.values.failed)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	return index_values(g, lists.values.n / sizeof(*g->value), err);
}

void
onnx_graph_free(struct onnx_graph *g)
{
	free(g->node);
	free(g->constant);
	free(g->maker);
	free(g->taker);
	free(g->value);
	*g = (struct onnx_graph){ .node = NULL };
}

/* ---- Searching ----------------------------------------------------------- */

/* Returns the first place of the value in a list of n, or n. */
static size_t
first_place(const struct onnx_place *place, size_t n, struct bytes value)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (bytes_compare(place[middle].name, value) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && bytes_compare(place[low].name, value) == 0 ? low : n;
}

const struct onnx_node *
onnx_graph_maker(const struct onnx_graph *g, struct bytes value)
{
	size_t i = first_place(g->maker, g->n_makers, value);

	return i < g->n_makers ? &g->node[g->maker[i].node] : NULL;
}

const struct onnx_place *
onnx_graph_takers(const struct onnx_graph *g, struct bytes value, size_t *n)
{
	size_t i = first_place(g->taker, g->n_takers, value), end = i;

	while (end < g->n_takers &&
	    bytes_compare(g->taker[end].name, value) == 0)
		end++;
	*n = end - i;
	return g->taker + i;
}

const struct onnx_constant *
onnx_graph_constant(const struct onnx_graph *g, struct bytes value)
{
	const struct onnx_constant key = { .name = value };

	return g->n_constants == 0 ? NULL : bsearch(&key, g->constant,
	    g->n_constants, sizeof(key), by_constant);
}
