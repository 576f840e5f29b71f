// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "model/onnx.h"
#include "model/onnx_ports.h"
#include "model/shapes/small_tensor.h"
#include "model/shapes/values.h"

/* Field numbers of onnx.proto. */
enum {
	MODEL_GRAPH = 7,
	GRAPH_NODE = 1, GRAPH_INITIALIZER = 5, GRAPH_INPUT = 11,
	GRAPH_OUTPUT = 12, GRAPH_VALUE_INFO = 13, GRAPH_SPARSE = 15,
	SPARSE_VALUES = 1, SPARSE_DIMS = 3, NODE_OUTPUT = 2,
};

/* An initialiser has the name of an input in old files. */
enum origin { WEIGHTS, INPUT, NODE };

struct values_reading {
	struct values *values;
	struct buf list;	/* of struct graph_value, in file order */
};

/* ---- The list of values ------------------------------------------------ */

static bool
is_full(const struct values_reading *r)
{
	return r->list.n / sizeof(struct graph_value) >= VALUES_MOST;
}

static void
add(struct values_reading *r, const struct graph_value *v)
{
	if (v->name.n > 0 && !is_full(r))
		buf_add(&r->list, v, sizeof(*v));
}

static void
add_weights(struct values_reading *r, struct bytes tensor)
{
	struct graph_value v = { .origin = WEIGHTS };
	struct small_tensor c;

	if (is_full(r) || !small_tensor_read(&c, tensor))
		return;
	v.name = c.name;
	v.shape = c.shape;
	if (c.known)
		values_set_numbers(r->values, &v, &c.numbers);
	add(r, &v);
}

/* The tensor of the values has the name.  The shape is beside it, and is not
 * read: a sparse tensor is rare, and never a size. */
static void
add_sparse_weights(struct values_reading *r, struct bytes sparse)
{
	struct graph_value v = { .origin = WEIGHTS };
	struct small_tensor c;
	struct pb_field f;
	uint64_t at = 0;

	while (at < sparse.n && pb_next(sparse, &at, &f))
		if (f.number == SPARSE_VALUES && small_tensor_read(&c, f.data))
			v.name = c.name;
	add(r, &v);
}

/* Reads a shape that the file states. */
static bool
read_stated(struct graph_value *v, struct bytes port)
{
	struct onnx_port p;

	*v = (struct graph_value){ .origin = INPUT };
	if (!onnx_port_read(port, &p))
		return false;
	v->name = p.name;
	v->shape = shape_of_rank(p.shaped && p.ndim <= NPU_MAX_DIMS ?
	    (double)p.ndim : NAN);
	for (unsigned i = 0; i < v->shape.ndim; i++)
		v->shape.dim[i] = shape_size((double)p.dim[i]);
	return true;
}

static void
add_outputs(struct values_reading *r, struct bytes node)
{
	struct graph_value v = { .origin = NODE };
	struct pb_field f;
	uint64_t at = 0;

	while (at < node.n && pb_next(node, &at, &f))
		if (f.number == NODE_OUTPUT && f.wire == PB_LENGTH) {
			v.name = f.data;
			add(r, &v);
		}
}

/* Visits only the graph, not functions, and not how to train. */
static int
visit_model(const struct pb_field *f)
{
	return f->number == MODEL_GRAPH ? 0 : ONNX_SKIP;
}

static int
list_values(void *arg, enum onnx_message in, unsigned depth,
    const struct pb_field *f, struct npu_err *err)
{
	struct values_reading *r = arg;
	struct graph_value v;

	(void)depth;
	(void)err;
	if (in == ONNX_MODEL)
		return visit_model(f);
	if (f->wire != PB_LENGTH)
		return 0;
	switch (f->number) {
	case GRAPH_NODE: add_outputs(r, f->data); break;
	case GRAPH_INITIALIZER: add_weights(r, f->data); break;
	case GRAPH_SPARSE: add_sparse_weights(r, f->data); break;
	case GRAPH_INPUT:
		if (read_stated(&v, f->data))
			add(r, &v);
		break;
	}
	return ONNX_SKIP;	/* the graphs in nodes */
}

static int
by_name(const void *pa, const void *pb)
{
	const struct graph_value *a = pa, *b = pb;
	int c = bytes_compare(a->name, b->name);

	return c != 0 ? c : (a->origin > b->origin) - (a->origin < b->origin);
}

/* Sorts the list, and keeps the first of the values with one name. */
static void
sort_values(struct values *v, struct buf *list)
{
	size_t n = 0;

	v->value = (struct graph_value *)(void *)list->p;
	v->n = list->n / sizeof(*v->value);
	if (v->n == 0)
		return;
	qsort(v->value, v->n, sizeof(*v->value), by_name);
	for (size_t i = 1; i < v->n; i++)
		if (bytes_compare(v->value[n].name, v->value[i].name) != 0)
			v->value[++n] = v->value[i];
	v->n = n + 1;
}

/* ---- Stated shapes ----------------------------------------------------- */

static int
add_stated(void *arg, enum onnx_message in, unsigned depth,
    const struct pb_field *f, struct npu_err *err)
{
	struct values *values = arg;
	struct graph_value stated, *v;

	(void)depth;
	(void)err;
	if (in == ONNX_MODEL)
		return visit_model(f);
	if (f->wire != PB_LENGTH)
		return 0;
	if ((f->number == GRAPH_VALUE_INFO || f->number == GRAPH_OUTPUT) &&
	    read_stated(&stated, f->data) &&
	    (v = values_find(values, stated.name)) != NULL)
		shape_complete(&v->shape, &stated.shape);
	return ONNX_SKIP;
}

/* ---- Public functions -------------------------------------------------- */

int
values_read(struct values *v, struct bytes onnx, struct npu_err *err)
{
	struct values_reading r = { .values = v };
	int rc;

	*v = (struct values){ 0 };
	rc = onnx_walk(onnx, list_values, &r, err);
	sort_values(v, &r.list);
	if (rc == 0 && (r.list.failed || v->numbers.failed))
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
	if (rc == 0)
		rc = onnx_walk(onnx, add_stated, v, err);
	if (rc < 0)
		values_free(v);
	return rc;
}

void
values_free(struct values *v)
{
	free(v->value);
	buf_free(&v->numbers);
	*v = (struct values){ 0 };
}

struct graph_value *
values_find(const struct values *v, struct bytes name)
{
	size_t low = 0, high = v->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int c = bytes_compare(v->value[middle].name, name);

		if (c == 0)
			return &v->value[middle];
		if (c < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

bool
values_get_numbers(const struct values *v, const struct graph_value *value,
    struct numbers *numbers)
{
	const struct numbers *all = (const void *)v->numbers.p;

	if (value->numbers == 0)
		return false;
	*numbers = all[value->numbers - 1];
	return true;
}

void
values_set_numbers(struct values *v, struct graph_value *value,
    const struct numbers *numbers)
{
	buf_add(&v->numbers, numbers, sizeof(*numbers));
	value->numbers = v->numbers.failed ? 0 :
	    (uint32_t)(v->numbers.n / sizeof(*numbers));
}
