/* SPDX-License-Identifier: Apache-2.0 */
/* The name of the layer that the compiler's parser makes of a node. */
#ifndef CIX_LINT_LAYER_NAME_H
#define CIX_LINT_LAYER_NAME_H

#include "model/onnx_graph.h"

/* Returns the node's name or, if it has none, the name of its first output,
 * before the parser replaces characters (name_pattern.h). */
static inline struct bytes
layer_name(const struct onnx_node *n)
{
	return n->name.n == 0 && n->n_out > 0 ? n->out[0] : n->name;
}

#endif
