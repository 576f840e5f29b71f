/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members of JSON objects, each with its limits.  Numbers are numbers or texts,
 * decimal or hexadecimal after 0x, as xclbinutil takes them.  A failure is
 * NPU_EFORMAT and names the member; the caller puts the place before.
 */
#ifndef XCLBIN_PACK_JSON_FIELD_H
#define XCLBIN_PACK_JSON_FIELD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/axlf_names.h"
#include "npu.h"

/* The member, which must be an object or a list. */
int field_object(const json_t *o, const char *key, const json_t **v,
    struct npu_err *err);
int field_list(const json_t *o, const char *key, const json_t **v,
    struct npu_err *err);
/* The same; *v is NULL if the member is missing. */
int field_list_if(const json_t *o, const char *key, const json_t **v,
    struct npu_err *err);

/* A text of least to most bytes. */
int field_text(const json_t *o, const char *key, size_t least, size_t most,
    const char **s, struct npu_err *err);
/* The same; *s is "" if the member is missing. */
int field_text_if(const json_t *o, const char *key, size_t most,
    const char **s, struct npu_err *err);

/* A number from 0 to most. */
int field_number(const json_t *o, const char *key, uint64_t most, uint64_t *n,
    struct npu_err *err);
/* The same; *n stays as it is if the member is missing. */
int field_number_if(const json_t *o, const char *key, uint64_t most,
    uint64_t *n, struct npu_err *err);
/* A name of the table, or a number from 0 to most. */
int field_named(const json_t *o, const char *key, const struct axlf_names *of,
    uint64_t most, uint64_t *n, struct npu_err *err);
int field_named_if(const json_t *o, const char *key,
    const struct axlf_names *of, uint64_t most, uint64_t *n,
    struct npu_err *err);

/* The value of an element of a list. */
int value_number(const json_t *v, uint64_t most, uint64_t *n,
    struct npu_err *err);
/* Copies a text, or a whole number as text, with a NUL to *b, which is empty.
 * The caller frees *b after success. */
int value_text(const json_t *v, struct buf *b, struct npu_err *err);

#endif
