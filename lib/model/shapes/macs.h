/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the multiply-accumulates of an ONNX model by operator. */
#ifndef MODEL_SHAPES_MACS_H
#define MODEL_SHAPES_MACS_H

#include "model/onnx_model.h"

/*
 * Sets macs of the model, which onnx_model_read() has read from onnx, and of
 * its operators.  Convolutions, products of matrices and recurrent layers
 * count; sums, activations and other elementwise operators do not.  Uses some
 * 250 bytes of memory for each value of the graph, up to VALUES_MOST values.
 */
int macs_count(struct onnx_model *m, struct bytes onnx, struct npu_err *err);

#endif
