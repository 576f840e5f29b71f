/* SPDX-License-Identifier: Apache-2.0 */
/* An ONNX file's metadata, and where its weights are. */
#ifndef MODEL_ONNX_H
#define MODEL_ONNX_H

#include "base/bytes.h"
#include "npu.h"

/*
 * The value of a key in the metadata (metadata_props of ModelProto), which
 * points into onnx.  Returns 1, 0 if there is no such key, or NPU_EFORMAT if
 * onnx is not an ONNX file.  Of several the last counts, as protobuf defines it
 * for maps.
 */
int onnx_metadata(struct bytes onnx, const char *key, struct bytes *value,
    struct npu_err *err);

/* Whether onnx begins as an ONNX file does, and ends within its graph. */
bool onnx_is_cut(struct bytes onnx);

/* Returns 1 if any tensor has its data in another file (data_location of
 * TensorProto), 0 if none has, or NPU_EFORMAT if onnx is not an ONNX file. */
int onnx_external(struct bytes onnx, struct npu_err *err);

#endif
