/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors for people and for programs that read text. */
#ifndef CMD_TENSORS_DESCRIBE_H
#define CMD_TENSORS_DESCRIBE_H

#include "base/json.h"
#include "cmd.h"

/* "1.0  s8 [1,512] scale=27.67 zero_point=60": frame, tensor, description;
 * "FILE: " first if file is not NULL. */
void describe_line(struct output *o, const char *file, uint64_t frame,
    const struct npu_label *l);

/* The same as a JSON object on a line, schema "npu-tensor/1". */
void describe_jsonl(struct output *o, const char *file, uint64_t frame,
    const struct npu_label *l);

/* The member "shape" of the object open in j; null: unknown. */
void describe_shape(struct json *j, const struct npu_tensor *t);

/* A stored integer at q as text. */
void describe_stored(uint32_t dtype, const uint8_t *q, char *s, size_t n);

/* Lines with the formula of *t, from stored to real numbers and back, in
 * numbers. */
void describe_formula(struct output *o, const char *name,
    const struct npu_tensor *t);

#endif
