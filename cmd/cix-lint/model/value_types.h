/* SPDX-License-Identifier: Apache-2.0 */
/* The element types of the values in an ONNX graph. */
#ifndef CIX_LINT_VALUE_TYPES_H
#define CIX_LINT_VALUE_TYPES_H

#include "model/onnx_graph.h"
#include "model/onnx_ports.h"

struct value_types {
	const struct onnx_graph *g;
	const struct onnx_ports *ports;
	const struct onnx_port **in;	/* the inputs by name */
	uint8_t *type;		/* of each of g->value: a number of
				   onnx_type.h; 0: unknown */
};

/*
 * Finds the types: as the file states them, or else as they follow from the
 * operators.  Fails with NPU_EFORMAT if onnx is damaged, or NPU_ESYSTEM.  Free
 * with value_types_free(), also after a failure.
 */
int value_types_find(struct value_types *t, struct bytes onnx,
    struct npu_err *err);
void value_types_free(struct value_types *t);

/* Returns the type of output port of the node. */
unsigned value_types_output(const struct value_types *t,
    const struct onnx_node *n, uint32_t port);
/* Returns the type of input i of the node; 0 also if the node lacks it. */
unsigned value_types_input(const struct value_types *t,
    const struct onnx_node *n, uint32_t i);

#endif
