/* SPDX-License-Identifier: Apache-2.0 */
/* The types of the elements that each node of a graph takes, in the provider's
 * words. */
#ifndef CIX_LINT_ELEMENT_TYPES_H
#define CIX_LINT_ELEMENT_TYPES_H

#include "cix-lint/lint.h"
#include "model/onnx_graph.h"

struct element_types {
	const struct onnx_graph *graph;
	const struct onnx_port **input;	/* by name */
	size_t n;
	uint8_t *made;		/* for each node: TYPE_..., or 0: unknown */
};

void element_types_read(struct element_types *t, const struct lint *l,
    const struct onnx_graph *g);
void element_types_free(struct element_types *t);

/* Returns the type of the node's first input, or TYPE_QDQ if that is float and
 * a quantiser is on either side; 0: unknown. */
unsigned element_types_of(const struct element_types *t,
    const struct onnx_node *n);

#endif
