// SPDX-License-Identifier: Apache-2.0
/* new_nodes.c - writes NodeProto messages. */
#include "model/protobuf_write.h"
#include "new_nodes.h"

/* Fields of onnx.proto. */
enum {
	ATTRIBUTE_NAME = 1, ATTRIBUTE_F = 2, ATTRIBUTE_I = 3, ATTRIBUTE_T = 5,
	ATTRIBUTE_TYPE = 20,
	VALUE_NAME = 1, VALUE_TYPE = 2, TYPE_TENSOR = 1, TENSOR_ELEMENT = 1,
	TENSOR_SHAPE = 2, SHAPE_DIM = 1, DIM_VALUE = 1,
};
enum { OF_FLOAT = 1, OF_INT = 2, OF_TENSOR = 4 };	/* ATTRIBUTE_TYPE */

void
put_int_attribute(struct new_node *n, const char *name, int64_t v)
{
	struct buf a = { 0 };

	pb_put_string(&a, ATTRIBUTE_NAME, name);
	pb_put_int(&a, ATTRIBUTE_I, v);
	pb_put_int(&a, ATTRIBUTE_TYPE, OF_INT);
	pb_put_message(&n->attributes, NODE_ATTRIBUTE, &a);
}

void
put_float_attribute(struct new_node *n, const char *name, float v)
{
	struct buf a = { 0 };

	pb_put_string(&a, ATTRIBUTE_NAME, name);
	pb_put_float(&a, ATTRIBUTE_F, v);
	pb_put_int(&a, ATTRIBUTE_TYPE, OF_FLOAT);
	pb_put_message(&n->attributes, NODE_ATTRIBUTE, &a);
}

void
put_tensor_attribute(struct new_node *n, const char *name, struct buf *tensor)
{
	struct buf a = { 0 };

	pb_put_string(&a, ATTRIBUTE_NAME, name);
	pb_put_message(&a, ATTRIBUTE_T, tensor);
	pb_put_int(&a, ATTRIBUTE_TYPE, OF_TENSOR);
	pb_put_message(&n->attributes, NODE_ATTRIBUTE, &a);
}

void
put_node(struct buf *graph, struct new_node *n)
{
	struct buf m = { 0 };

	for (size_t i = 0; i < n->n_in; i++)
		pb_put_bytes(&m, NODE_INPUT, n->in[i]);
	pb_put_bytes(&m, NODE_OUTPUT, n->out);
	pb_put_string(&m, NODE_OP_TYPE, n->op);
	buf_add(&m, n->attributes.p, n->attributes.n);
	m.failed |= n->attributes.failed;
	buf_free(&n->attributes);
	pb_put_message(graph, GRAPH_NODE, &m);
}

void
put_plain_node(struct buf *graph, const char *op, struct bytes a,
    struct bytes b, struct bytes out)
{
	const struct bytes in[] = { a, b };
	struct new_node n = { .op = op, .in = in, .n_in = b.n > 0 ? 2 : 1,
	    .out = out };

	put_node(graph, &n);
}

static void
put_constant(struct buf *graph, struct bytes out, struct buf *tensor)
{
	struct new_node n = { .op = "Constant", .out = out };

	put_tensor_attribute(&n, "value", tensor);
	put_node(graph, &n);
}

void
put_number(struct buf *graph, struct bytes out, float v)
{
	struct buf t = { 0 };

	pb_put_int(&t, TENSOR_TYPE, TENSOR_FLOAT);
	pb_put_bytes(&t, TENSOR_RAW, (struct bytes){ (const uint8_t *)&v,
	    sizeof(v) });
	put_constant(graph, out, &t);
}

void
put_list_of_one(struct buf *graph, struct bytes out)
{
	const int64_t one = 1;
	struct buf t = { 0 };

	pb_put_int(&t, TENSOR_DIMS, 1);
	pb_put_int(&t, TENSOR_TYPE, TENSOR_INT64);
	pb_put_bytes(&t, TENSOR_RAW, (struct bytes){ (const uint8_t *)&one,
	    sizeof(one) });
	put_constant(graph, out, &t);
}

void
put_output(struct buf *graph, struct bytes name, size_t n)
{
	struct buf value = { 0 }, type = { 0 }, tensor = { 0 }, shape = { 0 },
	    dim = { 0 };

	pb_put_int(&dim, DIM_VALUE, (int64_t)n);
	pb_put_message(&shape, SHAPE_DIM, &dim);
	pb_put_int(&tensor, TENSOR_ELEMENT, TENSOR_FLOAT);
	pb_put_message(&tensor, TENSOR_SHAPE, &shape);
	pb_put_message(&type, TYPE_TENSOR, &tensor);
	pb_put_bytes(&value, VALUE_NAME, name);
	pb_put_message(&value, VALUE_TYPE, &type);
	pb_put_message(graph, GRAPH_OUTPUT, &value);
}
