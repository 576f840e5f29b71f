/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads members of JSON objects, and checks their limits.  As in xclbinutil, a
 * number may be a JSON number or a string, decimal or hexadecimal after 0x.  A
 * failure is NPU_EFORMAT, and its message names the member; the caller adds a
 * prefix with the position of the object.
 */
#ifndef XCLBIN_PACK_JSON_FIELD_H
#define XCLBIN_PACK_JSON_FIELD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/axlf_names.h"
#include "npu.h"

/* Get a member that must exist, and must be an object or a list. */
int field_object(const json_t *o, const char *key, const json_t **v,
    struct npu_err *err);
int field_list(const json_t *o, const char *key, const json_t **v,
    struct npu_err *err);
/* Gets a list; *v is NULL if the member is missing. */
int field_list_if(const json_t *o, const char *key, const json_t **v,
    struct npu_err *err);

/* Gets a text of least to most bytes. */
int field_text(const json_t *o, const char *key, size_t least, size_t most,
    const char **s, struct npu_err *err);
/* Gets a text of at most most bytes; *s is "" if the member is missing. */
int field_text_if(const json_t *o, const char *key, size_t most,
    const char **s, struct npu_err *err);

/* Gets a number from 0 to most. */
int field_number(const json_t *o, const char *key, uint64_t most, uint64_t *n,
    struct npu_err *err);
/* Gets a number from 0 to most; *n is not changed if the member is missing. */
int field_number_if(const json_t *o, const char *key, uint64_t most,
    uint64_t *n, struct npu_err *err);
/* Get a number that the document has as a name of the table, or as a number
 * from 0 to most.  If the member is missing, field_named() fails, and
 * field_named_if() does not change *n. */
int field_named(const json_t *o, const char *key, const struct axlf_names *of,
    uint64_t most, uint64_t *n, struct npu_err *err);
int field_named_if(const json_t *o, const char *key,
    const struct axlf_names *of, uint64_t most, uint64_t *n,
    struct npu_err *err);

/* Gets a number from 0 to most from an element of a list. */
int value_number(const json_t *v, uint64_t most, uint64_t *n,
    struct npu_err *err);
/* Copies a text, or a whole number as text, with a NUL to *b, which must be
 * empty.  The caller frees *b after success. */
int value_text(const json_t *v, struct buf *b, struct npu_err *err);

#endif
