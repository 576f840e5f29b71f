/* SPDX-License-Identifier: Apache-2.0 */
/* Describes an ONNX model, from its file alone. */
#ifndef MODEL_ONNX_MODEL_H
#define MODEL_ONNX_MODEL_H

#include <stdbool.h>

#include "base/buf.h"
#include "model/onnx_ports.h"

/* Limits of a file that is described. */
#define ONNX_MOST_NODES 262144	/* with the nodes in loops and branches */
#define ONNX_MOST_NAME 4096	/* bytes of a name */

struct onnx_opset {
	struct bytes domain;	/* empty: ai.onnx */
	int64_t version;
};

struct onnx_entry {
	struct bytes key, value;
};

/* Multiply-accumulates; macs_count() of model/shapes/macs.h sets them. */
struct onnx_macs {
	uint64_t n;
	uint64_t counted;	/* nodes that multiply and are in n */
	uint64_t unknown;	/* nodes that may multiply, and are not in n */
};

/* Returns whether n is a number, even if some nodes are not in it. */
static inline bool
onnx_macs_known(const struct onnx_macs *m)
{
	return m->counted > 0 || m->unknown == 0;
}

struct onnx_operator {
	struct bytes domain, type;
	uint64_t nodes;
	struct onnx_macs macs;
};

/* Texts point into the file, and may contain anything. */
struct onnx_model {
	int64_t ir_version, model_version;
	struct bytes producer, producer_version, domain, graph;
	struct onnx_ports ports;
	struct onnx_opset *opset;
	size_t n_opsets;
	struct onnx_entry *metadata;	/* in file order */
	size_t n_metadata;
	struct onnx_operator *op;	/* most frequent first, then by name */
	size_t n_ops;
	uint64_t nodes;		/* with the nodes in loops and branches */
	struct onnx_macs macs;
	uint64_t functions;	/* that the file defines */
	uint64_t weights;	/* tensors: initializers of all graphs */
	uint64_t weight_bytes;	/* of these, with data in other files */
	struct bytes *file;	/* other files with data, in order, each once */
	size_t n_files;
	uint64_t file_bytes;	/* of the weights in these files */
};

/*
 * Reads and checks a model.  Fails with NPU_EFORMAT if onnx is not an ONNX
 * model, beyond the limits above, if data is missing, or if a node takes a
 * value that no earlier node makes.  Memory: 100 to 200 bytes for a node.
 * Free with onnx_model_free().
 */
int onnx_model_read(struct onnx_model *m, struct bytes onnx,
    struct npu_err *err);
void onnx_model_free(struct onnx_model *m);

#endif
