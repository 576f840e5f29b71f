/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that each node of an ONNX graph takes what an earlier node made. */
#ifndef MODEL_ONNX_ORDER_H
#define MODEL_ONNX_ORDER_H

#include <stdint.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

/* The names of values, which point into the file.  All zeros: empty. */
struct onnx_order {
	struct buf made, taken;
	uint32_t node;		/* the node whose values are added */
};

/* Adds a value that is there before the first node: an input, or weights. */
void onnx_order_given(struct onnx_order *o, struct bytes name);
/* Adds a value that o->node makes, or takes; an empty name means that an
 * optional value is absent.  With o->node beyond the last node, a value that is
 * taken is an output of the graph. */
void onnx_order_made(struct onnx_order *o, struct bytes name);
void onnx_order_taken(struct onnx_order *o, struct bytes name);

/*
 * Checks all values.  Fails with NPU_EFORMAT if two nodes make the same value,
 * or if a value is taken that is not there yet, as in a cycle.
 */
int onnx_order_check(struct onnx_order *o, struct npu_err *err);
void onnx_order_free(struct onnx_order *o);

#endif
