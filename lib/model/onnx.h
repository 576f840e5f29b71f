/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an ONNX file's metadata, and where its weights are stored. */
#ifndef MODEL_ONNX_H
#define MODEL_ONNX_H

#include "base/bytes.h"
#include "npu.h"

/*
 * Finds a key in the metadata (metadata_props of ModelProto).  *value points
 * into onnx.  Returns 1, 0 if the key is absent, or NPU_EFORMAT if onnx is not
 * an ONNX file.  If the key occurs more than once, the last value is used, as
 * protobuf defines it for maps.
 */
int onnx_metadata(struct bytes onnx, const char *key, struct bytes *value,
    struct npu_err *err);

/* Returns whether onnx begins like an ONNX file but ends within its graph. */
bool onnx_is_cut(struct bytes onnx);

/* Returns 1 if a tensor has its data in another file (data_location of
 * TensorProto), 0 if all data is in onnx, or NPU_EFORMAT if onnx is not an ONNX
 * file. */
int onnx_external(struct bytes onnx, struct npu_err *err);

#endif
