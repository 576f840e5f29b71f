/* SPDX-License-Identifier: Apache-2.0 */
/* Appends nodes to a GraphProto, in forms that all versions of ai.onnx have. */
#ifndef CIX_LINT_PREDICT_NEW_NODES_H
#define CIX_LINT_PREDICT_NEW_NODES_H

#include "base/buf.h"
#include "base/bytes.h"

/* Fields of onnx.proto. */
enum {
	GRAPH_NODE = 1, GRAPH_INITIALIZER = 5, GRAPH_OUTPUT = 12,
	NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_OP_TYPE = 4, NODE_ATTRIBUTE = 5,
	TENSOR_DIMS = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_RAW = 9,
	TENSOR_FLOAT = 1, TENSOR_INT64 = 7,
};

struct new_node {
	const char *op;
	const struct bytes *in;
	size_t n_in;
	struct bytes out;
	struct buf attributes;	/* filled by the functions below */
};

void put_int_attribute(struct new_node *n, const char *name, int64_t v);
void put_float_attribute(struct new_node *n, const char *name, float v);
/* The TensorProto is a buffer of fields, which is freed. */
void put_tensor_attribute(struct new_node *n, const char *name,
    struct buf *tensor);
/* Appends the node, and frees its attributes. */
void put_node(struct buf *graph, struct new_node *n);

/* Appends a node with one or two inputs and without attributes. */
void put_plain_node(struct buf *graph, const char *op, struct bytes a,
    struct bytes b, struct bytes out);
/* Appends a Constant: a float without dimensions, or the list [1]. */
void put_number(struct buf *graph, struct bytes out, float v);
void put_list_of_one(struct buf *graph, struct bytes out);
/* Appends an output of the graph: a list of n floats. */
void put_output(struct buf *graph, struct bytes name, size_t n);

#endif
