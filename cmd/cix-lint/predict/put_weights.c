// SPDX-License-Identifier: Apache-2.0
/* put_weights.c - rounds weights. */
#include <stdlib.h>

#include "base/err.h"
#include "cmd.h"
#include "model/names.h"
#include "model/onnx_numbers.h"
#include "model/onnx_tensor.h"
#include "model/protobuf.h"
#include "model/protobuf_write.h"
#include "model/shapes/node.h"
#include "new_nodes.h"
#include "put_weights.h"

/* Fields of TensorProto that refer to another file. */
enum { TENSOR_EXTERNAL = 13, TENSOR_LOCATION = 14 };
enum { WEIGHT_AXES = 4 };

/* ---- Rounding ------------------------------------------------------------ */

static bool
round_part(const struct method *m, unsigned bits, float *x, size_t n)
{
	struct extent e = { 0, 0 };
	struct rounding r;

	if (!extent_add(&e, x, n))
		return false;
	r = rounding_make(m, bits, e, true);
	rounding_apply(&r, x, n);
	return true;
}

/* Rounds n weights, of which the first axis has channels.  Returns false if one
 * is not finite. */
static bool
round_weights(const struct net *net, const struct method *m, unsigned bits,
    float *x, size_t n, size_t channels)
{
	size_t part = m->per == PER_TENSOR ? n : n / channels, step = part;

	if (m->per == PER_BLOCK && net->settings.block < step)
		step = net->settings.block;
	for (size_t at = 0; at < n; at += part)
		for (size_t k = 0; k < part; k += step)
			if (!round_part(m, bits, x + at + k,
			    part - k < step ? part - k : step))
				return false;
	return true;
}

/* Returns the node that takes the weights, or NULL. */
static const struct onnx_node *
taker_of(const struct net *net, struct bytes name)
{
	size_t n;
	const struct onnx_place *place = onnx_graph_takers(&net->graph, name,
	    &n);

	return n == 0 ? NULL : &net->graph.node[place->node];
}

static float *
read_all(struct onnx_numbers *r)
{
	float *x = cmd_alloc(r->n * sizeof(*x));

	if (onnx_numbers_read(r, x, r->n) == r->n)
		return x;
	free(x);
	return NULL;
}

/* Returns the rounded weights, or NULL if they stay as they are. */
static float *
rounded(const struct net *net, struct onnx_numbers *r, struct bytes name)
{
	const struct onnx_node *taker = taker_of(net, name);
	unsigned bits = taker == NULL ? 0 :
	    settings_weight_bits(&net->settings, taker);
	struct method m;
	float *x;

	if (r->dtype != NPU_F32 || r->ndim != WEIGHT_AXES || r->n == 0 ||
	    bits == 0 || (x = read_all(r)) == NULL)
		return NULL;
	m = settings_weight_method(&net->settings, taker);
	if (round_weights(net, &m, bits, x, r->n, r->dim[0]))
		return x;
	free(x);
	return NULL;
}

/* ---- Tensors ------------------------------------------------------------- */

/* Returns the fields of a tensor of floats. */
static struct buf
float_tensor(const struct onnx_numbers *r, struct bytes name, const float *x)
{
	struct buf t = { 0 };

	for (uint32_t i = 0; i < r->ndim; i++)
		pb_put_int(&t, TENSOR_DIMS, (int64_t)r->dim[i]);
	pb_put_int(&t, TENSOR_TYPE, TENSOR_FLOAT);
	if (name.n > 0)
		pb_put_bytes(&t, TENSOR_NAME, name);
	pb_put_bytes(&t, TENSOR_RAW, (struct bytes){ (const uint8_t *)x,
	    r->n * sizeof(*x) });
	return t;
}

/* Appends a tensor, but with this data. */
static void
put_with_data(struct buf *graph, struct bytes tensor, struct bytes data)
{
	struct buf t = { 0 };
	struct pb_field f;
	uint64_t at = 0, begin;

	while ((begin = at) < tensor.n && pb_next(tensor, &at, &f))
		if (f.number != TENSOR_EXTERNAL && f.number != TENSOR_LOCATION)
			buf_add(&t, tensor.p + begin, at - begin);
	pb_put_bytes(&t, TENSOR_RAW, data);
	pb_put_message(graph, GRAPH_INITIALIZER, &t);
}

static struct bytes
name_of(struct bytes tensor)
{
	struct bytes name = { 0 };
	struct pb_field f;
	uint64_t at = 0;

	while (at < tensor.n && pb_next(tensor, &at, &f))
		if (f.number == TENSOR_NAME)
			name = f.data;
	return name;
}

/* Begins to read the elements, in whichever file they are. */
static int
begin(struct net *net, struct onnx_numbers *r, struct bytes tensor,
    struct npu_err *err)
{
	int rc = onnx_numbers_begin(r, tensor, err);

	if (rc == 0 && r->external)
		rc = other_files_data(&net->files, r, &r->data, err);
	return rc;
}

int
put_initializer(struct net *net, struct buf *graph, struct bytes tensor,
    bool quantised, struct npu_err *err)
{
	struct bytes name = name_of(tensor);
	struct onnx_numbers r;
	struct buf fields;
	char shown[80];
	float *x = NULL;
	int rc = begin(net, &r, tensor, err);

	if (rc < 0 && r.external) {
		names_copy(shown, sizeof(shown), name);
		return npu_prefix(err, rc, "the weights '%s'", shown);
	}
	if (rc == 0 && quantised)
		x = rounded(net, &r, name);
	if (x != NULL) {
		fields = float_tensor(&r, name, x);
		pb_put_message(graph, GRAPH_INITIALIZER, &fields);
	} else if (rc == 0 && r.external) {
		put_with_data(graph, tensor, r.data);
	} else {
		pb_put_bytes(graph, GRAPH_INITIALIZER, tensor);
	}
	free(x);
	return 0;
}

bool
put_constant_weights(struct net *net, struct buf *graph,
    const struct onnx_node *n)
{
	const struct node attributes = { .message = n->message };
	struct new_node constant = { .op = "Constant" };
	struct onnx_tensor whole;
	struct bytes tensor = { 0 };
	struct onnx_numbers r;
	struct buf fields;
	float *x;

	if (!onnx_node_is(n, "Constant") || n->n_out != 1 ||
	    !node_tensor(&attributes, "value", &tensor) ||
	    onnx_tensor_read(&whole, tensor, NULL) < 0 ||
	    begin(net, &r, tensor, NULL) < 0 ||
	    (x = rounded(net, &r, n->out[0])) == NULL)
		return false;
	fields = float_tensor(&r, (struct bytes){ 0 }, x);
	constant.out = n->out[0];
	put_tensor_attribute(&constant, "value", &fields);
	put_node(graph, &constant);
	free(x);
	return true;
}
