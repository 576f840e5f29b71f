// SPDX-License-Identifier: Apache-2.0
/* Tests that the nodes and constants of an ONNX graph are found by name. */
#include "model/onnx_graph.h"
#include "model/protobuf_write.h"
#include "tap.h"

/* Field numbers of onnx.proto. */
enum { MODEL_GRAPH = 7, GRAPH_NODE = 1, GRAPH_INITIALIZER = 5 };
enum { NODE_IN = 1, NODE_OUT = 2, NODE_NAME = 3, NODE_TYPE = 4, NODE_ATTR = 5,
    NODE_DOMAIN = 7 };
enum { TENSOR_NAME = 8, ATTR_NAME = 1, ATTR_T = 5 };

static struct bytes
text(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

static bool
is(struct bytes b, const char *s)
{
	return bytes_compare(b, text(s)) == 0;
}

static void
put_tensor(struct buf *b, unsigned field, const char *name)
{
	struct buf t = { 0 };

	pb_put_string(&t, TENSOR_NAME, name);
	pb_put_message(b, field, &t);
}

/* Adds a node with the outputs before the inputs, which protobuf permits. */
static void
put_node(struct buf *graph, const char *type, const char *domain,
    const char *in1, const char *in2, const char *out)
{
	struct buf n = { 0 }, a = { 0 };

	pb_put_string(&n, NODE_OUT, out);
	if (in1 != NULL)
		pb_put_string(&n, NODE_IN, in1);
	if (in2 != NULL)
		pb_put_string(&n, NODE_IN, in2);
	pb_put_string(&n, NODE_NAME, type);
	pb_put_string(&n, NODE_TYPE, type);
	pb_put_string(&n, NODE_DOMAIN, domain);
	if (strcmp(type, "Constant") == 0) {
		pb_put_string(&a, ATTR_NAME, "value");
		put_tensor(&a, ATTR_T, "");
		pb_put_message(&n, NODE_ATTR, &a);
	}
	pb_put_message(graph, GRAPH_NODE, &n);
}

/* Constant -> k; x, k -> Add -> y; y, w -> Mul (ours) -> z; y -> Relu -> r. */
static void
put_model(struct buf *model)
{
	struct buf g = { 0 };

	put_node(&g, "Constant", "", NULL, NULL, "k");
	put_node(&g, "Add", "ai.onnx", "x", "k", "y");
	put_node(&g, "Mul", "ours", "y", "w", "z");
	put_node(&g, "Clip", "", "y", "", "r");
	put_tensor(&g, GRAPH_INITIALIZER, "w");
	pb_put_int(model, 1, 8);
	pb_put_message(model, MODEL_GRAPH, &g);
}

static void
nodes_are_found(const struct onnx_graph *g)
{
	const struct onnx_node *n = onnx_graph_maker(g, text("z"));
	const struct onnx_place *p;
	size_t takers;

	ok(g->n == 4, "there are 4 nodes");
	ok(n == &g->node[2], "the maker of z is the third node");
	ok(n->n_in == 2 && is(n->in[0], "y") && is(n->in[1], "w"),
	    "its inputs are in order");
	ok(n->n_out == 1 && is(n->out[0], "z"), "its output is z");
	ok(is(n->name, "Mul") && is(n->domain, "ours"), "it has its name");
	ok(!onnx_node_is(n, "Mul"), "Mul of another domain is not Mul");
	ok(onnx_node_is(&g->node[1], "Add"), "Add of ai.onnx is Add");
	ok(!onnx_node_is(&g->node[1], "Ad"), "Add is not Ad");
	ok(onnx_graph_maker(g, text("x")) == NULL, "no node makes an input");
	p = onnx_graph_takers(g, text("y"), &takers);
	ok(takers == 2 && p[0].node == 2 && p[1].node == 3 && p[0].port == 0,
	    "two nodes take y, in file order");
	p = onnx_graph_takers(g, text("w"), &takers);
	ok(takers == 1 && p[0].port == 1, "w is a second input");
	onnx_graph_takers(g, text(""), &takers);
	ok(takers == 0, "nobody takes an absent input");
	onnx_graph_takers(g, text("z"), &takers);
	ok(takers == 0, "nobody takes an output of the model");
}

static void
constants_are_found(const struct onnx_graph *g)
{
	const struct onnx_constant *c = onnx_graph_constant(g, text("w"));

	ok(g->n_constants == 2, "there are two constants");
	ok(c != NULL && c->node == ONNX_NO_NODE, "w is an initializer");
	c = onnx_graph_constant(g, text("k"));
	ok(c != NULL && c->node == 0, "k is the value of the first node");
	ok(onnx_graph_constant(g, text("y")) == NULL, "y is not a constant");
}

int
main(void)
{
	struct buf model = { 0 };
	struct onnx_graph g;
	struct npu_err err;
	int rc;

	put_model(&model);
	rc = onnx_graph_read(&g, (struct bytes){ (void *)model.p, model.n },
	    &err);
	ok(rc == 0, "the graph is read");
	nodes_are_found(&g);
	constants_are_found(&g);
	onnx_graph_free(&g);
	rc = onnx_graph_read(&g, (struct bytes){ (void *)model.p, model.n - 1 },
	    &err);
	ok(rc == NPU_EFORMAT, "a graph that is cut is refused");
	onnx_graph_free(&g);
	buf_free(&model);
	return done();
}
