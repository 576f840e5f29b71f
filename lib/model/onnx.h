/* SPDX-License-Identifier: Apache-2.0 */
/* What an ONNX file says about itself; its graph is not looked at. */
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

#endif
