/* SPDX-License-Identifier: Apache-2.0 */
/* Where the data of each node of a graph comes from and goes to. */
#ifndef CIX_LINT_DATA_FLOW_H
#define CIX_LINT_DATA_FLOW_H

#include "model/onnx_graph.h"

/* A flag for each node. */
struct data_flow {
	bool *computed;		/* depends on the data of an input, not only on
				   shapes, and so is not folded */
	bool *mask;		/* is made of inputs by comparing, converting
				   and reshaping alone */
	bool *logic;		/* is such a mask that was an integer or a
				   boolean */
	bool *to_softmax;	/* goes to a Softmax without other weights */
};

void data_flow_read(struct data_flow *f, const struct onnx_graph *g);
void data_flow_free(struct data_flow *f);

/* Returns the flag of the node that makes the value, or absent for a value that
 * no node makes. */
bool data_flow_of(const struct onnx_graph *g, const bool *flag,
    struct bytes value, bool absent);
/* Returns whether the value is an input of the graph. */
bool data_flow_is_input(const struct onnx_graph *g, struct bytes value);
/* Returns whether the value depends on the data of an input. */
bool data_flow_is_computed(const struct data_flow *f,
    const struct onnx_graph *g, struct bytes value);

#endif
