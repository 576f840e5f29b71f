/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of tensors, as text and as JSON. */
#ifndef CMD_TENSORS_DESCRIBE_H
#define CMD_TENSORS_DESCRIBE_H

#include "base/json.h"
#include "cmd.h"

/* Writes "1.0  s8 [1,512] scale=27.67 zero_point=60": frame, tensor,
 * description; "FILE: " first if file is not NULL. */
void describe_line(struct output *o, const char *file, uint64_t frame,
    const struct npu_label *l);

/* Writes the same as a JSON object on one line, schema "npu-tensor/1". */
void describe_jsonl(struct output *o, const char *file, uint64_t frame,
    const struct npu_label *l);

/* Writes a row: file, frame, tensor, name, type, shape such as 1x512, bytes,
 * scale, zero point; and the names of these columns. */
void describe_row(struct output *o, const char *file, uint64_t frame,
    const struct npu_label *l, char separator);
void describe_header(struct output *o);

/* Adds the member "shape" to the object open in j; null: unknown. */
void describe_shape(struct json *j, const struct npu_tensor *t);

/* Formats the stored integer at q. */
void describe_stored(uint32_t dtype, const uint8_t *q, char *s, size_t n);

/* Writes the formulas of *t with its numbers: from stored to real numbers and
 * from real to stored numbers. */
void describe_formula(struct output *o, const char *name,
    const struct npu_tensor *t);

#endif
