// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/names.h"
#include "model/onnx_ports.h"
#include "model/onnx_type.h"
#include "model/protobuf.h"

/* Field numbers of onnx.proto. */
enum { MODEL_GRAPH = 7 };
enum { GRAPH_INITIALIZER = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12,
	GRAPH_SPARSE_INITIALIZER = 15 };
enum { SPARSE_VALUES = 1, TENSOR_NAME = 8 };
enum { VALUE_NAME = 1, VALUE_TYPE = 2, TYPE_TENSOR = 1 };
enum { TENSOR_ELEMENT = 1, TENSOR_SHAPE = 2, SHAPE_DIM = 1 };
enum { DIM_VALUE = 1, DIM_PARAM = 2 };

static bool
is_message(const struct pb_field *f, uint64_t number)
{
	return f->wire == PB_LENGTH && f->number == number;
}

/* ---- One port --------------------------------------------------------- */

/* The size of a dimension, or -1; and its name, or nothing. */
static bool
read_dim(struct bytes b, int64_t *dim, struct bytes *name)
{
	struct pb_field f;
	uint64_t at = 0;

	*dim = -1;
	*name = (struct bytes){ 0 };
	while (at < b.n) {
		if (!pb_next(b, &at, &f))
			return false;
		if (f.wire == PB_VARINT && f.number == DIM_VALUE)
			*dim = (int64_t)f.value;
		if (is_message(&f, DIM_PARAM))
			*name = f.data;
	}
	return true;
}

static bool
read_shape(struct bytes b, struct onnx_port *p)
{
	struct bytes name;
	struct pb_field f;
	uint64_t at = 0;
	int64_t dim;

	p->shaped = true;
	while (at < b.n) {
		if (!pb_next(b, &at, &f))
			return false;
		if (!is_message(&f, SHAPE_DIM))
			continue;
		if (!read_dim(f.data, &dim, &name))
			return false;
		if (p->ndim < ONNX_MOST_DIMS) {
			p->dim[p->ndim] = dim;
			p->dim_name[p->ndim] = name;
		}
		p->ndim++;
	}
	return true;
}

static bool
read_tensor(struct bytes b, struct onnx_port *p)
{
	struct pb_field f;
	uint64_t at = 0;

	while (at < b.n) {
		if (!pb_next(b, &at, &f))
			return false;
		if (f.wire == PB_VARINT && f.number == TENSOR_ELEMENT) {
			p->type = (uint32_t)f.value;
			p->dtype = onnx_type_dtype(p->type);
		}
		if (is_message(&f, TENSOR_SHAPE) && !read_shape(f.data, p))
			return false;
	}
	return true;
}

/* A port that is not a tensor has no dtype: nothing here can run it. */
static bool
read_type(struct bytes b, struct onnx_port *p)
{
	static const char *const kinds[] = { [TYPE_TENSOR] = "tensor",
	    [4] = "sequence", [5] = "map", [7] = "opaque",
	    [8] = "sparse_tensor", [9] = "optional" };
	struct pb_field f;
	uint64_t at = 0;

	while (at < b.n) {
		if (!pb_next(b, &at, &f))
			return false;
		if (f.wire == PB_LENGTH && f.number < sizeof(kinds) /
		    sizeof(*kinds) && kinds[f.number] != NULL)
			p->kind = kinds[f.number];
		if (is_message(&f, TYPE_TENSOR) && !read_tensor(f.data, p))
			return false;
	}
	return true;
}

bool
onnx_port_read(struct bytes b, struct onnx_port *p)
{
	struct pb_field f;
	uint64_t at = 0;

	*p = (struct onnx_port){ .dtype = NPU_NONE };
	while (at < b.n) {
		if (!pb_next(b, &at, &f))
			return false;
		if (is_message(&f, VALUE_NAME))
			p->name = f.data;
		if (is_message(&f, VALUE_TYPE) && !read_type(f.data, p))
			return false;
	}
	return true;
}

/* ---- Inputs that are weights ------------------------------------------ */

/* Finds inputs that are weights: files up to IR version 3 list weights among
 * the inputs. */
struct weight_search {
	const struct onnx_port **sorted;	/* inputs, by name */
	size_t n;
	const struct onnx_port *first;	/* input 0 */
	bool *weight;			/* for each input */
};

static int
by_name(const void *a, const void *b)
{
	return bytes_compare((*(const struct onnx_port *const *)a)->name,
	    (*(const struct onnx_port *const *)b)->name);
}

static void
mark_weight(struct weight_search *s, struct bytes name)
{
	const struct onnx_port key = { .name = name }, *k = &key;
	const struct onnx_port **found = bsearch(&k, s->sorted, s->n,
	    sizeof(*s->sorted), by_name);

	if (found != NULL)
		s->weight[*found - s->first] = true;
}

static bool
read_weight(struct weight_search *s, struct bytes tensor)
{
	struct pb_field f;
	uint64_t at = 0;

	while (at < tensor.n) {
		if (!pb_next(tensor, &at, &f))
			return false;
		if (is_message(&f, TENSOR_NAME))
			mark_weight(s, f.data);
	}
	return true;
}

static bool
read_sparse_weight(struct weight_search *s, struct bytes sparse)
{
	struct pb_field f;
	uint64_t at = 0;

	while (at < sparse.n) {
		if (!pb_next(sparse, &at, &f))
			return false;
		if (is_message(&f, SPARSE_VALUES) && !read_weight(s, f.data))
			return false;
	}
	return true;
}

/* ---- The graph -------------------------------------------------------- */

/* Calls visit for the fields of the main graph, until one is invalid.  protobuf
 * merges several graph messages into one. */
static bool
visit_graph(struct bytes onnx, bool (*visit)(void *, const struct pb_field *),
    void *arg)
{
	struct pb_field model, f;
	uint64_t at = 0, in;

	while (at < onnx.n) {
		if (!pb_next(onnx, &at, &model))
			return false;
		in = 0;
		while (is_message(&model, MODEL_GRAPH) && in < model.data.n)
			if (!pb_next(model.data, &in, &f) || !visit(arg, &f))
				return false;
	}
	return true;
}

static bool
count_ports(void *arg, const struct pb_field *f)
{
	struct onnx_ports *p = arg;

	p->n_in += is_message(f, GRAPH_INPUT);
	p->n_out += is_message(f, GRAPH_OUTPUT);
	return true;
}

/* The ports that are read, and the room for them: a mapped file may change
 * after the ports were counted. */
struct port_reader {
	struct onnx_ports *p;
	const struct onnx_ports *room;
};

static bool
read_ports(void *arg, const struct pb_field *f)
{
	const struct port_reader *r = arg;
	struct onnx_ports *p = r->p;

	if (is_message(f, GRAPH_INPUT))
		return p->n_in < r->room->n_in &&
		    onnx_port_read(f->data, &p->in[p->n_in++]);
	if (is_message(f, GRAPH_OUTPUT))
		return p->n_out < r->room->n_out &&
		    onnx_port_read(f->data, &p->out[p->n_out++]);
	return true;
}

static int
check_port(const struct onnx_port *p, const char *kind, struct npu_err *err)
{
	char name[80];

	names_copy(name, sizeof(name), p->name);
	if (p->ndim > ONNX_MOST_DIMS)
		return npu_fail(err, NPU_EFORMAT, "not a usable ONNX model: %s "
		    "'%s' has %" PRIu32 " dimensions, and the limit is %d",
		    kind, name, p->ndim, ONNX_MOST_DIMS);
	for (uint32_t i = 0; i < p->ndim; i++)
		if (p->dim[i] < -1 || p->dim[i] > UINT32_MAX)
			return npu_fail(err, NPU_EFORMAT, "not an ONNX model: "
			    "size %" PRIu32 " of %s '%s' is %" PRId64 ", and "
			    "must be between 0 and %" PRIu32, i, kind, name,
			    p->dim[i], UINT32_MAX);
	return 0;
}

static int
check_ports(const struct onnx_ports *p, struct npu_err *err)
{
	int rc = 0;

	for (size_t i = 0; i < p->n_in && rc == 0; i++)
		rc = check_port(&p->in[i], "input", err);
	for (size_t i = 0; i < p->n_out && rc == 0; i++)
		rc = check_port(&p->out[i], "output", err);
	return rc;
}

static bool
read_weights(void *arg, const struct pb_field *f)
{
	if (is_message(f, GRAPH_INITIALIZER))
		return read_weight(arg, f->data);
	if (is_message(f, GRAPH_SPARSE_INITIALIZER))
		return read_sparse_weight(arg, f->data);
	return true;
}

/* Removes the inputs that have an initialiser. */
static int
remove_weights(struct onnx_ports *p, struct bytes onnx, struct npu_err *err)
{
	struct weight_search s = { .n = p->n_in, .first = p->in };
	bool sound;
	size_t n = 0;

	s.sorted = calloc(p->n_in + 1, sizeof(*s.sorted));
	s.weight = calloc(p->n_in + 1, sizeof(*s.weight));
	if (s.sorted == NULL || s.weight == NULL) {
		free(s.sorted);
		free(s.weight);
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	}
	for (size_t i = 0; i < p->n_in; i++)
		s.sorted[i] = &p->in[i];
	qsort(s.sorted, s.n, sizeof(*s.sorted), by_name);
	sound = visit_graph(onnx, read_weights, &s);
	for (size_t i = 0; i < p->n_in; i++)
		if (!s.weight[i])
			p->in[n++] = p->in[i];
	p->n_in = n;
	free(s.sorted);
	free(s.weight);
	return sound ? 0 : npu_fail(err, NPU_EFORMAT,
	    "not an ONNX model: its weights are damaged");
}

static int
allocate(struct onnx_ports *p, const struct onnx_ports *count,
    struct npu_err *err)
{
	if (count->n_in > ONNX_MOST_PORTS || count->n_out > ONNX_MOST_PORTS)
		return npu_fail(err, NPU_EFORMAT, "not an ONNX model: more "
		    "than %d inputs or outputs", ONNX_MOST_PORTS);
	p->in = calloc(count->n_in + 1, sizeof(*p->in));
	p->out = calloc(count->n_out + 1, sizeof(*p->out));
	if (p->in == NULL || p->out == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	return 0;
}

int
onnx_ports_read(struct onnx_ports *ports, struct bytes onnx,
    struct npu_err *err)
{
	struct onnx_ports p = { 0 }, count = { 0 };
	struct port_reader r = { &p, &count };
	int rc;

	if (!visit_graph(onnx, count_ports, &count) || count.n_out == 0)
		return npu_fail(err, NPU_EFORMAT,
		    "not an ONNX model: no graph with an output is in it");
	if ((rc = allocate(&p, &count, err)) < 0)
		goto fail;
	if (!visit_graph(onnx, read_ports, &r)) {
		rc = npu_fail(err, NPU_EFORMAT, "not an ONNX model: an input "
		    "or output is damaged");
		goto fail;
	}
	if ((rc = check_ports(&p, err)) < 0 ||
	    (rc = remove_weights(&p, onnx, err)) < 0)
		goto fail;
	*ports = p;
	return 0;
fail:
	onnx_ports_free(&p);
	return rc;
}

void
onnx_ports_free(struct onnx_ports *p)
{
	free(p->in);
	free(p->out);
	*p = (struct onnx_ports){ 0 };
}

bool
onnx_port_holds(const struct onnx_port *p, uint64_t n)
{
	uint64_t known = 1;
	unsigned open = 0;

	if (!p->shaped)
		return true;
	for (uint32_t i = 0; i < p->ndim; i++) {
		if (p->dim[i] < 0)
			open++;
		else if (p->dim[i] > UINT32_MAX ||
		    (known *= (uint64_t)p->dim[i]) > UINT32_MAX)
			return false;
	}
	if (open == 0)
		return n == known;
	return open > 1 || (known > 0 && n % known == 0);
}

const char *
onnx_port_type(const struct onnx_port *p)
{
	const char *name = onnx_type_name(p->type);

	if (p->kind != NULL && strcmp(p->kind, "tensor") != 0)
		return p->kind;
	return name != NULL ? name : "unknown";
}

uint64_t
onnx_port_bytes(const struct onnx_port *p)
{
	uint64_t bits = onnx_type_bits(p->type);

	if (!p->shaped)
		return 0;
	for (uint32_t i = 0; i < p->ndim; i++)
		if (p->dim[i] < 0 || __builtin_mul_overflow(bits,
		    (uint64_t)p->dim[i], &bits))
			return 0;
	return bits / 8 + (bits % 8 != 0);
}
