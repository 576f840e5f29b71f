/* SPDX-License-Identifier: Apache-2.0 */
/* What an ONNX file says about itself, and where its weights are. */
#ifndef MODEL_ONNX_H
#define MODEL_ONNX_H

#include "base/bytes.h"
#include "npu.h"

/*
 * The value of a key of its metadata (metadata_props of ModelProto), which
 * points into onnx.  1, or 0 if it has no such key, or NPU_EFORMAT for what
 * is no ONNX file.  Of several the last counts, as protobuf has it for maps.
 */
int onnx_metadata(struct bytes onnx, const char *key, struct bytes *value,
    struct npu_err *err);

/*
 * 1 if a tensor of it, wherever one can be, has its data in another file
 * (data_location of TensorProto), 0 if none, or NPU_EFORMAT for what is no ONNX
 * file.
 */
int onnx_external(struct bytes onnx, struct npu_err *err);

#endif
