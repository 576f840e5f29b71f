/* SPDX-License-Identifier: Apache-2.0 */
/* What an ONNX model says of its inputs and outputs. */
#ifndef MODEL_ONNX_PORTS_H
#define MODEL_ONNX_PORTS_H

#include "base/bytes.h"
#include "npu.h"

/* The most inputs, with the weights that old files list among them, or
 * outputs. */
#define ONNX_MOST_PORTS 65536

struct onnx_port {
	struct bytes name;	/* points into the file */
	uint32_t dtype;		/* NPU_NONE: no tensor of a type of ours */
	bool shaped;		/* the file states the shape */
	uint32_t ndim;		/* may be more than dim holds */
	int64_t dim[NPU_MAX_DIMS];	/* -1: left open */
};

struct onnx_ports {
	struct onnx_port *in, *out;
	size_t n_in, n_out;	/* without inputs that have an initialiser */
};

/*
 * Reads the main graph's.  Fails with NPU_EFORMAT where onnx is not an ONNX
 * model: no protobuf, or without a graph that has an output.  Free with
 * onnx_ports_free().
 */
int onnx_ports_read(struct onnx_ports *p, struct bytes onnx,
    struct npu_err *err);
void onnx_ports_free(struct onnx_ports *p);

/* Whether a tensor of n elements can be this port's.  One open dimension
 * follows from n. */
bool onnx_port_holds(const struct onnx_port *p, uint64_t n);

#endif
