// SPDX-License-Identifier: Apache-2.0
/* instrument.c - adds nodes to a copy of a model. */
#include <math.h>
#include <stdio.h>

#include "base/err.h"
#include "instrument.h"
#include "model/protobuf.h"
#include "model/protobuf_write.h"
#include "new_nodes.h"
#include "put_weights.h"

enum { MODEL_GRAPH = 7 };
enum {
	OPSET_WHERE = 9,
	OPSET_ROUND = 11,	/* has Round, and Clip with limits as inputs */
};
#define MOST_BYTES ((size_t)INT32_MAX)	/* of a ModelProto */

/* Adding 1.5 x 2^23 leaves a float no room for a fraction. */
#define NO_FRACTION 12582912.0f

struct copy {
	struct net *net;
	struct instrumented *m;
	bool rounded;
	size_t node;		/* the next */
	size_t activation;	/* the next that a node makes */
	size_t last;		/* figures of the activation before */
};

/* A name of a value in the copy. */
struct new_name {
	char text[48];
};

static struct bytes
new_name(struct new_name *n, size_t i, const char *part)
{
	int size;

	*n = (struct new_name){ .text = "" };
	size = snprintf(n->text, sizeof(n->text), "cix-lint/%zu/%s", i, part);

	return (struct bytes){ (const uint8_t *)n->text, (size_t)size };
}

static struct bytes
text(const char *s)
{
	return (struct bytes){ (const uint8_t *)s, strlen(s) };
}

static const struct bytes none = { 0 };

/* ---- Figures ------------------------------------------------------------- */

/* Adds the figure that an operator like ReduceMax calculates of all elements of
 * a value. */
static void
put_figure(struct copy *c, const char *op, struct bytes value)
{
	struct new_name one, list;
	struct bytes scalar = new_name(&one, c->m->figures, "scalar");
	struct new_node n = { .op = op, .in = &value, .n_in = 1,
	    .out = scalar };

	put_int_attribute(&n, "keepdims", 0);
	put_node(&c->m->graph, &n);
	put_plain_node(&c->m->graph, "Reshape", scalar, text("cix-lint/one"),
	    new_name(&list, c->m->figures++, "list"));
}

/* Joins the figures to an output. */
static void
put_figures(struct copy *c)
{
	struct buf *graph = &c->m->graph, names = { 0 }, in = { 0 };
	size_t n = c->m->figures;
	struct new_name name = { "" };
	struct new_node concat = { .op = "Concat", .n_in = n,
	    .out = text("cix-lint/figures") };

	for (size_t i = 0; i < n; i++) {
		new_name(&name, i, "list");
		buf_add(&names, &name, sizeof(name));
	}
	for (size_t i = 0; i < n && !names.failed; i++) {
		struct bytes b = text(names.p + i * sizeof(name));

		buf_add(&in, &b, sizeof(b));
	}
	graph->failed |= names.failed || in.failed;
	concat.in = (void *)in.p;
	put_int_attribute(&concat, "axis", 0);
	if (!graph->failed)
		put_node(graph, &concat);
	put_output(graph, concat.out, n);
	buf_free(&names);
	buf_free(&in);
}

/* ---- Order ----------------------------------------------------------------
 *
 * ONNX Runtime may run all nodes of the model before the figures, and would
 * then keep all values of the model in memory.  Therefore a number in a later
 * node depends on the figures, but always has the same value. */

/* Makes out, which is v once the last figures are known. */
static void
put_wait(struct copy *c, size_t i, float v, struct bytes out)
{
	struct buf *graph = &c->m->graph;
	struct new_name name[3], s, l, t, a, b;
	struct bytes figure[3], in[3];
	struct new_node sum = { .op = "Sum", .in = figure, .n_in = c->last,
	    .out = new_name(&s, i, "sum") };
	struct bytes least = new_name(&l, i, "least");
	struct new_node where = { .op = "Where", .in = in, .n_in = 3,
	    .out = out };

	for (size_t k = 0; k < c->last; k++)
		figure[k] = new_name(&name[k], c->m->figures - 1 - k,
		    "scalar");
	in[0] = new_name(&t, i, "never");
	in[1] = new_name(&a, i, "if");
	in[2] = new_name(&b, i, "else");
	put_node(graph, &sum);
	put_number(graph, least, -INFINITY);
	put_plain_node(graph, "Less", sum.out, least, in[0]);
	put_number(graph, in[1], 1);
	put_number(graph, in[2], v);
	put_node(graph, &where);
}

/* Adds 0 to activation i, whose node makes the value exact in its place. */
static void
put_delayed(struct copy *c, size_t i)
{
	struct new_name e, z;
	struct bytes exact = new_name(&e, i, "exact");
	struct bytes zero = new_name(&z, i, "zero");

	c->last = 2;
	put_wait(c, i, 0, zero);
	put_plain_node(&c->m->graph, "Add", exact, zero,
	    c->net->activations.list[i].name);
}

/* ---- Rounding ------------------------------------------------------------ */

static void
put_clip(struct copy *c, size_t i, struct bytes in, const struct rounding *r,
    struct bytes out)
{
	struct buf *graph = &c->m->graph;
	struct new_name low, high;
	struct bytes inputs[] = { in, new_name(&low, i, "low"),
	    new_name(&high, i, "high") };
	struct new_node n = { .op = "Clip", .in = inputs, .out = out };

	if (c->net->opset < OPSET_ROUND) {
		n.n_in = 1;
		put_float_attribute(&n, "min", (float)r->low);
		put_float_attribute(&n, "max", (float)r->high);
	} else {
		n.n_in = 3;
		put_number(graph, inputs[1], (float)r->low);
		put_number(graph, inputs[2], (float)r->high);
	}
	put_node(graph, &n);
}

static void
put_round(struct copy *c, size_t i, struct bytes in, struct bytes out)
{
	struct buf *graph = &c->m->graph;
	struct new_name number, sum;
	struct bytes large, added;

	if (c->net->opset >= OPSET_ROUND) {
		put_plain_node(graph, "Round", in, none, out);
		return;
	}
	large = new_name(&number, i, "large");
	added = new_name(&sum, i, "added");
	put_number(graph, large, NO_FRACTION);
	put_plain_node(graph, "Add", in, large, added);
	put_plain_node(graph, "Sub", added, large, out);
}

/*
 * Makes out of in, as rounding.h says; i is a number that no other rounding
 * has.  The first node is a division: ONNX Runtime joins a product with a
 * convolution before it.
 */
static void
put_rounding(struct copy *c, size_t i, struct bytes in,
    const struct rounding *r, struct bytes out)
{
	struct buf *graph = &c->m->graph;
	struct new_name s, a, b, d;
	struct bytes step = new_name(&s, i, "step");
	struct bytes divided = new_name(&a, i, "divided");
	struct bytes clipped = new_name(&b, i, "clipped");
	struct bytes whole = new_name(&d, i, "whole");

	if (c->last > 0 && c->net->opset >= OPSET_WHERE)
		put_wait(c, i, (float)(1 / r->scale), step);
	else
		put_number(graph, step, (float)(1 / r->scale));
	c->last = 0;
	put_plain_node(graph, "Div", in, step, divided);
	put_clip(c, i, divided, r, clipped);
	put_round(c, i, clipped, whole);
	put_plain_node(graph, "Mul", whole, step, out);
}

static void
put_noise(struct copy *c, size_t i, struct bytes exact, struct bytes rounded)
{
	struct new_name name;
	struct bytes difference = new_name(&name, i, "difference");

	put_plain_node(&c->m->graph, "Sub", exact, rounded, difference);
	put_figure(c, "ReduceSumSquare", difference);
}

/* Rounds activation i, whose node makes the value exact in its place. */
static void
put_rounded(struct copy *c, size_t i)
{
	const struct activations *all = &c->net->activations;
	const struct activation *a = &all->list[i];
	struct new_name e, s;
	struct bytes exact = new_name(&e, i, "exact"), shared;
	size_t before = c->m->figures;

	put_rounding(c, i, exact, &a->own, a->name);
	put_figure(c, "ReduceSumSquare", exact);
	put_noise(c, i, exact, a->name);
	if (a->concat != NO_ACTIVATION) {
		shared = new_name(&s, i, "shared");
		put_rounding(c, all->n + i, exact,
		    &all->list[a->concat].own, shared);
		put_noise(c, all->n + i, exact, shared);
	}
	c->last = c->m->figures - before;
}

/* ---- The copy ------------------------------------------------------------ */

/* Returns whether the node makes the value "exact", of which other nodes make
 * the activation. */
static bool
is_replaced(const struct copy *c, size_t i)
{
	return c->rounded ? c->net->activations.list[i].own.scale > 0 :
	    c->net->opset >= OPSET_WHERE;
}

/* Appends the nodes after the node that makes activation i. */
static void
put_after(struct copy *c, size_t i)
{
	struct new_name n;
	struct bytes value = is_replaced(c, i) ? new_name(&n, i, "exact") :
	    c->net->activations.list[i].name;

	if (c->rounded && is_replaced(c, i)) {
		put_rounded(c, i);
	} else if (!c->rounded) {
		put_figure(c, "ReduceMin", value);
		put_figure(c, "ReduceMax", value);
		if (is_replaced(c, i))
			put_delayed(c, i);
	}
}

/* Appends a field of a node.  An output that is replaced gets
 * another name. */
static void
put_node_field(const struct copy *c, struct buf *m, const struct pb_field *f,
    struct bytes raw, uint32_t *port, size_t *activation)
{
	const struct activations *all = &c->net->activations;
	const struct onnx_node *n = &c->net->graph.node[c->node];
	const struct activation *a = *activation < all->n ?
	    &all->list[*activation] : NULL;
	struct new_name name;

	if (f->number != NODE_OUTPUT || f->wire != PB_LENGTH ||
	    a == NULL || a->node != n || a->port != (*port)++) {
		buf_add(m, raw.p, raw.n);
		return;
	}
	if (is_replaced(c, *activation))
		pb_put_bytes(m, NODE_OUTPUT, new_name(&name, *activation,
		    "exact"));
	else
		buf_add(m, raw.p, raw.n);
	(*activation)++;
}

static void
put_node_copy(struct copy *c, struct bytes node)
{
	size_t activation = c->activation;
	struct buf m = { 0 };
	struct pb_field f;
	uint64_t at = 0, begin;
	uint32_t port = 0;

	while ((begin = at) < node.n && pb_next(node, &at, &f))
		put_node_field(c, &m, &f, (struct bytes){ node.p + begin,
		    at - begin }, &port, &activation);
	pb_put_message(&c->m->graph, GRAPH_NODE, &m);
	for (; c->activation < activation; c->activation++)
		put_after(c, c->activation);
}

static int
put_graph_field(struct copy *c, const struct pb_field *f, struct bytes raw,
    struct npu_err *err)
{
	struct buf *graph = &c->m->graph;

	if (f->wire == PB_LENGTH && f->number == GRAPH_INITIALIZER)
		return put_initializer(c->net, graph, f->data, c->rounded,
		    err);
	if (f->wire != PB_LENGTH || f->number != GRAPH_NODE) {
		buf_add(graph, raw.p, raw.n);
		return 0;
	}
	if (!c->rounded || !put_constant_weights(c->net, graph,
	    &c->net->graph.node[c->node]))
		put_node_copy(c, f->data);
	c->node++;
	return 0;
}

static int
put_graph(struct copy *c, struct bytes graph, struct npu_err *err)
{
	struct pb_field f;
	uint64_t at = 0, begin;
	int rc = 0;

	while ((begin = at) < graph.n && rc == 0 && pb_next(graph, &at, &f)) {
		rc = put_graph_field(c, &f, (struct bytes){ graph.p + begin,
		    at - begin }, err);
		if (rc == 0 && c->m->graph.n > MOST_BYTES)
			rc = npu_fail(err, NPU_EUSAGE, "ONNX Runtime takes a "
			    "model of at most 2 GiB");
	}
	return rc;
}

static int
instrument(struct copy *c, struct npu_err *err)
{
	struct bytes file = c->net->lint->bytes.file;
	struct buf *part = &c->m->head;
	struct pb_field f;
	uint64_t at = 0, begin;
	int rc = 0;

	put_list_of_one(&c->m->graph, text("cix-lint/one"));
	while ((begin = at) < file.n && rc == 0 && pb_next(file, &at, &f)) {
		if (f.number == MODEL_GRAPH && f.wire == PB_LENGTH) {
			rc = put_graph(c, f.data, err);
			part = &c->m->tail;
		} else {
			buf_add(part, file.p + begin, at - begin);
		}
	}
	if (rc < 0)
		return rc;
	if (c->m->figures > 0)
		put_figures(c);
	pb_put_tag(&c->m->head, MODEL_GRAPH, PB_LENGTH);
	pb_put_number(&c->m->head, c->m->graph.n);
	if (c->m->head.failed || c->m->graph.failed || c->m->tail.failed)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	return 0;
}

int
instrument_floats(struct instrumented *m, struct net *net, struct npu_err *err)
{
	struct copy c = { .net = net, .m = m };

	return instrument(&c, err);
}

int
instrument_rounded(struct instrumented *m, struct net *net,
    struct npu_err *err)
{
	struct copy c = { .net = net, .m = m, .rounded = true };

	return instrument(&c, err);
}

void
instrumented_free(struct instrumented *m)
{
	buf_free(&m->head);
	buf_free(&m->graph);
	buf_free(&m->tail);
}

/* ---- Results ------------------------------------------------------------- */

void
take_extents(struct activations *a, const float *figure)
{
	for (size_t i = 0; i < a->n; i++, figure += 2)
		if (!extent_add(&a->list[i].seen, figure, 2))
			a->list[i].finite = false;
}

void
take_noise(struct activations *a, const float *figure)
{
	for (size_t i = 0; i < a->n; i++) {
		struct activation *one = &a->list[i];

		if (one->own.scale <= 0)
			continue;
		one->signal += (double)*figure++;
		one->noise += (double)*figure++;
		if (one->concat != NO_ACTIVATION)
			one->concat_noise += (double)*figure++;
	}
}
