/* SPDX-License-Identifier: Apache-2.0 */
/* A selector of one layer, by name (layered.h). */
#ifndef CIX_LINT_LAYER_SELECTOR_H
#define CIX_LINT_LAYER_SELECTOR_H

#include "base/buf.h"
#include "model/onnx_graph.h"

/* Adds "<{^NAME$}:VALUE>", with the name as the parser spells it. */
void layer_selector_put(struct buf *b, const struct onnx_node *n,
    const char *value);

#endif
