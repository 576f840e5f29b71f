/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of a graph, counted by operator. */
#ifndef CIX_LINT_OPERATOR_USES_H
#define CIX_LINT_OPERATOR_USES_H

#include "model/onnx_graph.h"

struct operator_use {
	const struct onnx_node *first;	/* in file order */
	uint64_t n;
};

struct operator_uses {
	struct operator_use *list;	/* by operator */
	size_t n;
};

/* Counts the nodes for which a flag is set; flags NULL: all nodes.  Free with
 * operator_uses_free(). */
void operator_uses_read(struct operator_uses *u, const struct onnx_graph *g,
    const bool *flags);
void operator_uses_free(struct operator_uses *u);

/* Returns the use of an operator, or NULL. */
const struct operator_use *operator_uses_find(const struct operator_uses *u,
    struct bytes domain, struct bytes type);

#endif
