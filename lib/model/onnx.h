/* SPDX-License-Identifier: Apache-2.0 */
/* Visits the messages of an ONNX file; reads its metadata, and where its
 * weights are stored. */
#ifndef MODEL_ONNX_H
#define MODEL_ONNX_H

#include "base/bytes.h"
#include "model/protobuf.h"
#include "npu.h"

/* The messages of onnx.proto that contain nodes or tensors. */
enum onnx_message {
	ONNX_MODEL, ONNX_GRAPH, ONNX_NODE, ONNX_ATTRIBUTE, ONNX_TENSOR,
	ONNX_SPARSE, ONNX_FUNCTION, ONNX_TRAINING,
};

/*
 * Is called for a field of a message.  depth is 0 in the model, 1 in its main
 * graph, and so on.  Returns 0; ONNX_SKIP: do not visit the message in this
 * field; or, to stop, an error code.
 */
#define ONNX_SKIP 1
typedef int onnx_visit(void *arg, enum onnx_message in, unsigned depth,
    const struct pb_field *f, struct npu_err *err);

/* Calls visit for each field of these messages, in file order.  Returns 0, an
 * error code from visit, or NPU_EFORMAT if onnx is not an ONNX file. */
int onnx_walk(struct bytes onnx, onnx_visit *visit, void *arg,
    struct npu_err *err);

/*
 * Finds a key in the metadata (metadata_props of ModelProto).  *value points
 * into onnx.  Returns 1, 0 if the key is absent, or NPU_EFORMAT if onnx is not
 * an ONNX file.  If the key occurs more than once, the last value is used, as
 * protobuf defines it for maps.
 */
int onnx_metadata(struct bytes onnx, const char *key, struct bytes *value,
    struct npu_err *err);

/* Returns whether onnx begins like an ONNX file: with the version, which is
 * required, as the first field. */
bool onnx_begins(struct bytes onnx);

/* Fails with NPU_EFORMAT if onnx begins like an ONNX file but ends within its
 * graph. */
int onnx_check_whole(struct bytes onnx, struct npu_err *err);

/* Returns 1 if a tensor has its data in another file (data_location of
 * TensorProto), 0 if all data is in onnx, or NPU_EFORMAT if onnx is not an ONNX
 * file. */
int onnx_external(struct bytes onnx, struct npu_err *err);

#endif
