/* SPDX-License-Identifier: Apache-2.0 */
/* Between which numbers a value of an ONNX graph lies, whatever the input is:
 * from its operators and constants alone. */
#ifndef CIX_LINT_VALUE_RANGE_H
#define CIX_LINT_VALUE_RANGE_H

#include <stdbool.h>

#include "model/onnx_graph.h"

struct value_range {
	double low, high;	/* -INFINITY, INFINITY: not bounded */
};

/* The quantiser of a QuantizeLinear or DequantizeLinear for a whole tensor. */
struct quantiser {
	double scale, zero;
	struct value_range range;	/* that it can represent */
};

/* Returns the range of a value. */
struct value_range value_range(const struct onnx_graph *g, struct bytes value);

/* Returns whether the node is a QuantizeLinear or DequantizeLinear. */
bool is_quantiser(const struct onnx_node *n);
/* Reads the quantiser of the node.  Returns false for other nodes, and if scale
 * and zero point are not constants for the whole tensor. */
bool quantiser_read(const struct onnx_graph *g, const struct onnx_node *n,
    struct quantiser *q);

/* Returns whether the node only moves or copies elements of its first input, as
 * Reshape does: its output has the same numbers. */
bool moves_elements(const struct onnx_node *n);

#endif
