/* SPDX-License-Identifier: Apache-2.0 */
/* Infers the shapes of all values of an ONNX file's main graph, and counts the
 * multiply-accumulates of each node. */
#ifndef MODEL_SHAPES_INFERENCE_H
#define MODEL_SHAPES_INFERENCE_H

#include "model/shapes/values.h"

/* What is known about one node. */
struct node_count {
	struct bytes domain, type;
	bool multiplies;	/* or may multiply: the operator is unknown */
	bool known;
	uint64_t macs;
};

/* Is called for each node, with the nodes in loops and branches.  The counts of
 * these are not known, because it is not known how often they run. */
typedef void node_visit(void *arg, const struct node_count *c);

/*
 * Completes the values, which values_read() has read from a model that
 * onnx_model_read() accepts: the nodes are in order.  visit may be NULL.
 * Fails with NPU_ESYSTEM, or with NPU_EFORMAT if the file is damaged.
 */
int inference_run(struct values *v, struct bytes onnx, node_visit *visit,
    void *arg, struct npu_err *err);

#endif
