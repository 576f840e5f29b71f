/* SPDX-License-Identifier: Apache-2.0 */
/* Appends the weights of a model to a copy of its graph. */
#ifndef CIX_LINT_PREDICT_PUT_WEIGHTS_H
#define CIX_LINT_PREDICT_PUT_WEIGHTS_H

#include "net.h"

/*
 * Appends an initializer.  With quantised, floats with four axes are rounded as
 * the node that takes them rounds its weights; others stay as they are.  Data
 * in another file is appended to this file.
 */
int put_initializer(struct net *net, struct buf *graph, struct bytes tensor,
    bool quantised, struct npu_err *err);

/* Appends a node Constant whose value is rounded in the same way.  Returns
 * false, without appending anything, for other nodes. */
bool put_constant_weights(struct net *net, struct buf *graph,
    const struct onnx_node *n);

#endif
