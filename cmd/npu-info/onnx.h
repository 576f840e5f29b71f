/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the description of an ONNX model. */
#ifndef NPU_INFO_ONNX_H
#define NPU_INFO_ONNX_H

#include "model/onnx_model.h"

struct json;

/* Add the model at path, a file of size bytes, as text, or as lines or rows of
 * fields. */
void onnx_text(struct buf *t, const char *path, size_t size,
    const struct onnx_model *m);
void onnx_plain(struct buf *t, const char *path, size_t size,
    const struct onnx_model *m);
void onnx_rows(struct buf *t, char separator, const char *path,
    const struct onnx_model *m);

/* Adds the members to the object that is open in j. */
void onnx_json(struct json *j, const char *path, size_t size,
    const struct onnx_model *m);

/* Returns "NCHW" or "NHWC" as picture_layout() does; NULL: unknown. */
const char *onnx_layout(const struct onnx_port *p, bool is_input);

#endif
