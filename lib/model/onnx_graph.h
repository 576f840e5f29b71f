/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes and weights of an ONNX file's main graph, by the names of their
 * values. */
#ifndef MODEL_ONNX_GRAPH_H
#define MODEL_ONNX_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "npu.h"

#define ONNX_NO_NODE SIZE_MAX

/* Texts and messages point into the file.  The attributes of a node are read
 * from its message: model/shapes/node.h. */
struct onnx_node {
	struct bytes name, type, domain, message;
	struct bytes *in, *out;	/* names of values; empty: absent */
	uint32_t n_in, n_out;
};

/* A tensor with its TensorProto: an initializer, or the value of a node
 * Constant. */
struct onnx_constant {
	struct bytes name, tensor;
	size_t node;		/* the Constant, or ONNX_NO_NODE */
};

/* A place where a value is made or taken. */
struct onnx_place {
	struct bytes name;	/* of the value */
	size_t node;
	uint32_t port;		/* the index in in or out */
};

struct onnx_graph {
	struct onnx_node *node;	/* in file order */
	size_t n;
	struct onnx_constant *constant;		/* by name */
	size_t n_constants;
	struct onnx_place *maker, *taker;	/* by name, then by node */
	size_t n_makers, n_takers;
	struct bytes *value;	/* owned; of in and out of all nodes */
};

/*
 * Reads the graph of a model that onnx_model_read() accepts.  Fails with
 * NPU_ESYSTEM, or with NPU_EFORMAT if onnx is damaged.  Memory: 200 to 300
 * bytes for a node.  Free with onnx_graph_free(), also after a failure.
 */
int onnx_graph_read(struct onnx_graph *g, struct bytes onnx,
    struct npu_err *err);
void onnx_graph_free(struct onnx_graph *g);

/* Returns the node that makes the value, or NULL: an input, an initializer. */
const struct onnx_node *onnx_graph_maker(const struct onnx_graph *g,
    struct bytes value);
/* Returns the places that take the value, and stores their number. */
const struct onnx_place *onnx_graph_takers(const struct onnx_graph *g,
    struct bytes value, size_t *n);
/* Returns the tensor of a constant value, or NULL: the value is computed. */
const struct onnx_constant *onnx_graph_constant(const struct onnx_graph *g,
    struct bytes value);

/* Returns whether the domain is ai.onnx, which files usually leave out. */
bool onnx_is_standard(struct bytes domain);
/* Returns whether the node is this operator of ai.onnx, or one of several, with
 * NULL at the end. */
bool onnx_node_is(const struct onnx_node *n, const char *type);
bool onnx_node_is_any(const struct onnx_node *n, const char *const *types);

#endif
