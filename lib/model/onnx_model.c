// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "base/err.h"
#include "model/onnx.h"
#include "model/onnx_model.h"
#include "model/onnx_order.h"
#include "model/onnx_tensor.h"

/* Field numbers of onnx.proto. */
enum {
	IR_VERSION = 1, PRODUCER_NAME = 2, PRODUCER_VERSION = 3,
	MODEL_DOMAIN = 4, MODEL_VERSION = 5, OPSET_IMPORT = 8,
	METADATA_PROPS = 14, TRAINING_INFO = 20, FUNCTIONS = 25,
};
enum {
	GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_INITIALIZER = 5,
	GRAPH_INPUT = 11, GRAPH_OUTPUT = 12, GRAPH_SPARSE_INITIALIZER = 15,
};
enum {
	NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_OP_TYPE = 4, NODE_ATTRIBUTE = 5,
	NODE_DOC = 6, NODE_DOMAIN = 7,
};
enum { VALUE_NAME = 1, SPARSE_VALUES = 1, SPARSE_INDICES = 2 };
enum { OPSET_DOMAIN = 1, OPSET_VERSION = 2 };
enum { ENTRY_KEY = 1, ENTRY_VALUE = 2 };

/* What is collected while the messages are visited. */
struct census {
	struct onnx_model *m;
	const uint8_t *file;
	struct buf opsets, metadata, operators, data_files;
	struct onnx_order order;	/* of the main graph */
};

static int
damaged(struct npu_err *err, const char *what)
{
	return npu_fail(err, NPU_EFORMAT, "not an ONNX model: %s is damaged",
	    what);
}

/* Names are printed, and compared with each other. */
static int
check_name(const struct census *c, struct bytes name, struct npu_err *err)
{
	return name.n <= ONNX_MOST_NAME ? 0 : npu_fail(err, NPU_EFORMAT,
	    "not a usable ONNX model: the name at byte %zu has %zu bytes, and "
	    "the limit is %d", (size_t)(name.p - c->file), name.n,
	    ONNX_MOST_NAME);
}

/* ---- Small messages ---------------------------------------------------- */

/* A message with one text and either another text or a number. */
struct pair {
	struct bytes text[2];
	uint64_t number;
};

static int
read_pair(const struct census *c, struct pair *p, struct bytes b,
    const char *what, struct npu_err *err)
{
	struct pb_field f;
	uint64_t at = 0;

	*p = (struct pair){ 0 };
	while (at < b.n) {
		if (!pb_next(b, &at, &f))
			return damaged(err, what);
		if (f.wire == PB_LENGTH && f.number >= 1 && f.number <= 2)
			p->text[f.number - 1] = f.data;
		if (f.wire == PB_VARINT && f.number == OPSET_VERSION)
			p->number = f.value;
	}
	return check_name(c, p->text[0], err);
}

static int
add_opset(struct census *c, struct bytes b, struct npu_err *err)
{
	struct onnx_opset o;
	struct pair p;
	int rc = read_pair(c, &p, b, "an opset", err);

	o = (struct onnx_opset){ p.text[OPSET_DOMAIN - 1], (int64_t)p.number };
	if (rc == 0)
		buf_add(&c->opsets, &o, sizeof(o));
	return rc;
}

static int
add_metadata(struct census *c, struct bytes b, struct npu_err *err)
{
	struct onnx_entry e;
	struct pair p;
	int rc = read_pair(c, &p, b, "an entry of its metadata", err);

	e = (struct onnx_entry){ p.text[ENTRY_KEY - 1],
	    p.text[ENTRY_VALUE - 1] };
	if (rc == 0)
		buf_add(&c->metadata, &e, sizeof(e));
	return rc;
}

static int
visit_model(struct census *c, const struct pb_field *f, struct npu_err *err)
{
	struct onnx_model *m = c->m;

	switch (f->number) {
	case IR_VERSION: m->ir_version = (int64_t)f->value; break;
	case MODEL_VERSION: m->model_version = (int64_t)f->value; break;
	case PRODUCER_NAME:
		m->producer = f->data;
		return check_name(c, f->data, err);
	case PRODUCER_VERSION:
		m->producer_version = f->data;
		return check_name(c, f->data, err);
	case MODEL_DOMAIN:
		m->domain = f->data;
		return check_name(c, f->data, err);
	case OPSET_IMPORT: return add_opset(c, f->data, err);
	case METADATA_PROPS: return add_metadata(c, f->data, err);
	case FUNCTIONS:
		m->functions++;
		return ONNX_SKIP;
	case TRAINING_INFO: return ONNX_SKIP;
	}
	return 0;
}

/* ---- Nodes ------------------------------------------------------------ */

/* Only the main graph's values are in c->order. */
static void
add_name(struct census *c, const struct pb_field *f, bool main,
    struct onnx_operator *op)
{
	switch (f->number) {
	case NODE_INPUT:
		if (main)
			onnx_order_taken(&c->order, f->data);
		break;
	case NODE_OUTPUT:
		if (main)
			onnx_order_made(&c->order, f->data);
		break;
	case NODE_OP_TYPE: op->type = f->data; break;
	case NODE_DOMAIN: op->domain = f->data; break;
	}
}

static int
add_node(struct census *c, struct bytes node, bool main, struct npu_err *err)
{
	struct onnx_operator op = { .nodes = 1 };
	struct pb_field f;
	uint64_t at = 0;
	int rc = 0;

	while (at < node.n && rc == 0) {
		if (!pb_next(node, &at, &f))
			return damaged(err, "a node");
		if (f.wire != PB_LENGTH || f.number == NODE_ATTRIBUTE ||
		    f.number == NODE_DOC)
			continue;
		add_name(c, &f, main, &op);
		rc = check_name(c, f.data, err);
	}
	if (rc < 0)
		return rc;
	c->order.node += main;
	buf_add(&c->operators, &op, sizeof(op));
	if (++c->m->nodes > ONNX_MOST_NODES)
		return npu_fail(err, NPU_EFORMAT, "not a usable ONNX model: it "
		    "has more than %d nodes", ONNX_MOST_NODES);
	return 0;
}

/* ---- Weights ---------------------------------------------------------- */

static int
add_weights(struct census *c, struct bytes tensor, bool given,
    struct npu_err *err)
{
	struct onnx_tensor t;
	int rc;

	if ((rc = onnx_tensor_read(&t, tensor, err)) < 0 ||
	    (rc = check_name(c, t.name, err)) < 0 ||
	    (rc = check_name(c, t.file, err)) < 0)
		return rc;
	c->m->weights++;
	c->m->weight_bytes += t.bytes;
	if (t.external) {
		c->m->file_bytes += t.bytes;
		buf_add(&c->data_files, &t.file, sizeof(t.file));
	}
	if (given)
		onnx_order_given(&c->order, t.name);
	return 0;
}

/* The values have the name; the indices are weights as well. */
static int
add_sparse_weights(struct census *c, struct bytes sparse, bool main,
    struct npu_err *err)
{
	struct pb_field f;
	uint64_t at = 0;
	int rc = 0;

	while (at < sparse.n && rc == 0) {
		if (!pb_next(sparse, &at, &f))
			return damaged(err, "a sparse tensor");
		if (f.wire == PB_LENGTH && (f.number == SPARSE_VALUES ||
		    f.number == SPARSE_INDICES))
			rc = add_weights(c, f.data, main &&
			    f.number == SPARSE_VALUES, err);
	}
	return rc;
}

/* ---- Graphs ----------------------------------------------------------- */

static int
add_port(struct census *c, struct bytes value, bool output,
    struct npu_err *err)
{
	struct bytes name = { 0 };
	struct pb_field f;
	uint64_t at = 0;

	while (at < value.n) {
		if (!pb_next(value, &at, &f))
			return damaged(err, "an input or output");
		if (f.wire == PB_LENGTH && f.number == VALUE_NAME)
			name = f.data;
	}
	if (!output)
		onnx_order_given(&c->order, name);
	return check_name(c, name, err);
}

static int
visit_graph(struct census *c, bool main, const struct pb_field *f,
    struct npu_err *err)
{
	if (f->wire != PB_LENGTH)
		return 0;
	switch (f->number) {
	case GRAPH_NODE: return add_node(c, f->data, main, err);
	case GRAPH_INITIALIZER: return add_weights(c, f->data, main, err);
	case GRAPH_SPARSE_INITIALIZER:
		return add_sparse_weights(c, f->data, main, err);
	case GRAPH_INPUT: case GRAPH_OUTPUT:
		return main ? add_port(c, f->data, f->number == GRAPH_OUTPUT,
		    err) : 0;
	case GRAPH_NAME:
		if (main)
			c->m->graph = f->data;
		return check_name(c, f->data, err);
	}
	return 0;
}

static int
visit(void *arg, enum onnx_message in, unsigned depth,
    const struct pb_field *f, struct npu_err *err)
{
	if (in == ONNX_MODEL)
		return visit_model(arg, f, err);
	return in == ONNX_GRAPH ? visit_graph(arg, depth == 1, f, err) : 0;
}

/* ---- Lists ------------------------------------------------------------ */

static int
compare_operators(const struct onnx_operator *a, const struct onnx_operator *b)
{
	int c = bytes_compare(a->domain, b->domain);

	return c != 0 ? c : bytes_compare(a->type, b->type);
}

static int
by_operator(const void *a, const void *b)
{
	return compare_operators(a, b);
}

static int
by_frequency(const void *pa, const void *pb)
{
	const struct onnx_operator *a = pa, *b = pb;

	return a->nodes != b->nodes ? (a->nodes < b->nodes) -
	    (a->nodes > b->nodes) : compare_operators(a, b);
}

static int
by_text(const void *a, const void *b)
{
	const struct bytes *x = a, *y = b;

	return bytes_compare(*x, *y);
}

/* Joins equal operators, and sorts them. */
static void
count_operators(struct onnx_model *m)
{
	struct onnx_operator *op = m->op;
	size_t n = 0;

	if (m->n_ops == 0)
		return;
	qsort(op, m->n_ops, sizeof(*op), by_operator);
	for (size_t i = 1; i < m->n_ops; i++) {
		if (compare_operators(&op[n], &op[i]) == 0)
			op[n].nodes++;
		else
			op[++n] = op[i];
	}
	m->n_ops = n + 1;
	qsort(op, m->n_ops, sizeof(*op), by_frequency);
}

static void
join_files(struct onnx_model *m)
{
	size_t n = 0;

	if (m->n_files == 0)
		return;
	qsort(m->file, m->n_files, sizeof(*m->file), by_text);
	for (size_t i = 1; i < m->n_files; i++)
		if (bytes_compare(m->file[n], m->file[i]) != 0)
			m->file[++n] = m->file[i];
	m->n_files = n + 1;
}

/* Moves the lists into the model. */
static int
take_lists(struct census *c, struct npu_err *err)
{
	struct onnx_model *m = c->m;
	bool failed = c->opsets.failed || c->metadata.failed ||
	    c->operators.failed || c->data_files.failed;

	m->opset = (void *)c->opsets.p;
	m->n_opsets = c->opsets.n / sizeof(*m->opset);
	m->metadata = (void *)c->metadata.p;
	m->n_metadata = c->metadata.n / sizeof(*m->metadata);
	m->op = (void *)c->operators.p;
	m->n_ops = c->operators.n / sizeof(*m->op);
	m->file = (void *)c->data_files.p;
	m->n_files = c->data_files.n / sizeof(*m->file);
	if (failed)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	count_operators(m);
	join_files(m);
	return 0;
}

/* ---- Public functions -------------------------------------------------- */

static int
check_sizes(const struct census *c, const struct onnx_port *p, size_t n,
    struct npu_err *err)
{
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++)
		for (uint32_t k = 0; k < p[i].ndim && rc == 0; k++)
			rc = check_name(c, p[i].dim_name[k], err);
	return rc;
}

static int
check_ports(struct census *c, struct npu_err *err)
{
	const struct onnx_ports *p = &c->m->ports;
	int rc;

	for (size_t i = 0; i < p->n_out; i++)
		onnx_order_taken(&c->order, p->out[i].name);
	if ((rc = check_sizes(c, p->in, p->n_in, err)) < 0 ||
	    (rc = check_sizes(c, p->out, p->n_out, err)) < 0)
		return rc;
	return onnx_order_check(&c->order, err);
}

int
onnx_model_read(struct onnx_model *m, struct bytes onnx, struct npu_err *err)
{
	struct census c = { .m = m, .file = onnx.p };
	int rc, listed;

	*m = (struct onnx_model){ 0 };
	if ((rc = onnx_check_whole(onnx, err)) < 0)
		return rc;
	rc = onnx_walk(onnx, visit, &c, err);
	listed = take_lists(&c, rc < 0 ? NULL : err);
	if (rc == 0)
		rc = listed;
	if (rc == 0)
		rc = onnx_ports_read(&m->ports, onnx, err);
	if (rc == 0)
		rc = check_ports(&c, err);
	onnx_order_free(&c.order);
	if (rc < 0)
		onnx_model_free(m);
	return rc;
}

void
onnx_model_free(struct onnx_model *m)
{
	onnx_ports_free(&m->ports);
	free(m->opset);
	free(m->metadata);
	free(m->op);
	free(m->file);
	*m = (struct onnx_model){ 0 };
}
