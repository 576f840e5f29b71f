/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Describes an ONNX model as a container does: the programs, and the emulator
 * that runs the model, then treat both kinds of model alike.
 */
#ifndef MODEL_ONNX_CONTAINER_H
#define MODEL_ONNX_CONTAINER_H

#include "model/cix.h"
#include "model/shapes/fixed_sizes.h"

/*
 * Describes a model of either kind, as cix_parse() does.  The inputs and
 * outputs of an ONNX model have its types, and no scales.  *container must be
 * empty: for an ONNX model it becomes the container that m points into, without
 * the model itself; for others it stays empty.  Free it after *m.  Fails for an
 * ONNX model as onnx_model_read() does, and with NPU_EUSAGE if a size is not
 * fixed or if a type is not one of enum npu_dtype; for others as cix_parse()
 * does, and with NPU_EUSAGE if sizes are chosen.
 */
int model_parse(struct bytes file, const struct chosen_sizes *chosen,
    struct cix_model *m, struct buf *container, struct npu_err *err);

#endif
