/* SPDX-License-Identifier: Apache-2.0 */
/* What the first nodes of a model do with an input: which numbers it takes. */
#ifndef CIX_LINT_INPUT_USE_H
#define CIX_LINT_INPUT_USE_H

#include "model/onnx_graph.h"

struct input_use {
	bool scaled;		/* the model scales or normalises the numbers,
				   or has weights for large ones */
	uint64_t rows;		/* of the smallest table whose rows the numbers
				   choose; 0: none */
	struct bytes table;	/* its name */
};

/* Finds how the graph uses the input.  Nodes that only move elements are
 * followed. */
struct input_use input_use_find(const struct onnx_graph *g,
    struct bytes input);

#endif
