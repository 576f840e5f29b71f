/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the inputs and outputs of an ONNX model. */
#ifndef MODEL_ONNX_PORTS_H
#define MODEL_ONNX_PORTS_H

#include "base/bytes.h"
#include "npu.h"

/* The maximum number of outputs, and of inputs with the weights that old files
 * list among them. */
#define ONNX_MOST_PORTS 65536
#define ONNX_MOST_DIMS 16	/* of a port */

/* Names point into the file. */
struct onnx_port {
	struct bytes name;
	const char *kind;	/* "tensor", "sequence" ...; NULL: no type */
	uint64_t type;		/* of elements, a number of onnx_type.h */
	uint32_t dtype;		/* NPU_NONE: not a tensor of our types */
	bool shaped;		/* the file has the shape */
	uint32_t ndim;
	int64_t dim[ONNX_MOST_DIMS];	/* -1: not fixed */
	struct bytes dim_name[ONNX_MOST_DIMS];	/* empty: the size has none */
};

struct onnx_ports {
	struct onnx_port *in, *out;
	size_t n_in, n_out;	/* inputs with an initialiser excluded */
};

/*
 * Reads the ports of the main graph.  Fails with NPU_EFORMAT if onnx is not an
 * ONNX model: not protobuf, without a graph that has an output, with more than
 * ONNX_MOST_DIMS dimensions, or with a size below -1 or above UINT32_MAX.  Free
 * with onnx_ports_free().
 */
int onnx_ports_read(struct onnx_ports *p, struct bytes onnx,
    struct npu_err *err);
void onnx_ports_free(struct onnx_ports *p);

/* Reads one input, output or other value from a ValueInfoProto.  Returns false
 * if it is damaged. */
bool onnx_port_read(struct bytes value, struct onnx_port *p);

/* Returns whether this port can hold a tensor of n elements.  One dimension
 * that is not fixed follows from n. */
bool onnx_port_holds(const struct onnx_port *p, uint64_t n);

/* Returns the element type's name, or the kind of a port that is not a tensor;
 * "unknown" if the file does not state it. */
const char *onnx_port_type(const struct onnx_port *p);

/* Returns the bytes of the port's tensor; 0: a size is open, or too large. */
uint64_t onnx_port_bytes(const struct onnx_port *p);

#endif
