/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors as the Open Inference Protocol (KServe, version 2) has them: numbers
 * in JSON, or bytes behind it. */
#ifndef NPU_SERVE_OIP_TENSOR_H
#define NPU_SERVE_OIP_TENSOR_H

#include "base/buf.h"
#include "base/json.h"
#include "serving/json_in.h"

/* The protocol's name of an element type, "INT8"; NULL: it has none. */
const char *oip_datatype(uint32_t dtype);

/*
 * Adds the numbers of a list, which may be nested as the shape is, to *out: as
 * elements of t's type, or with real as floats that are quantised as t says.
 * 0, or an HTTP status.
 */
unsigned oip_read_list(const struct json_in *data, const struct npu_tensor *t,
    bool real, struct buf *out, struct npu_err *err);
/* The same from bytes: elements of t's type, or floats. */
unsigned oip_read_bytes(struct bytes data, const struct npu_tensor *t,
    bool real, struct buf *out, struct npu_err *err);

/* Writes the elements of t at p as a list: numbers of t's type, or with real
 * the real numbers that they stand for. */
unsigned oip_write_list(struct json *j, const struct npu_tensor *t,
    const uint8_t *p, bool real, struct npu_err *err);
/* Adds them to *out as bytes. */
unsigned oip_write_bytes(struct buf *out, const struct npu_tensor *t,
    const uint8_t *p, bool real, struct npu_err *err);

#endif
