/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON that a client sent.  jansson parses it, within bounds: of depth, of the
 * number of values, since each takes some forty bytes of memory for two of the
 * text, and without keys that come twice.  jansson's header and base/json.h
 * declare the same names, so no file includes both.
 */
#ifndef CMD_SERVING_JSON_IN_H
#define CMD_SERVING_JSON_IN_H

#include "base/bytes.h"
#include "npu.h"

enum { JSON_IN_DEPTH = 32, JSON_IN_VALUES = 1 << 20 };

enum json_in_kind {
	IN_MISSING, IN_NULL, IN_BOOL, IN_NUMBER, IN_STRING, IN_LIST, IN_OBJECT,
};

/* A value of a document; NULL is one that is missing. */
struct json_in;

/* The document, with at most so many values; free it.  NULL with the place of
 * the mistake. */
struct json_in *json_in_parse(struct bytes text, size_t most_values,
    struct npu_err *err);
void json_in_free(void *document);

enum json_in_kind json_in_kind(const struct json_in *v);
/* "a string", for messages. */
const char *json_in_kind_name(const struct json_in *v);

/* A member of an object; NULL where v is another value or has none. */
const struct json_in *json_in_member(const struct json_in *v,
    const char *key);
/* The i-th member, with its key; NULL after the last. */
const struct json_in *json_in_member_at(const struct json_in *v, size_t i,
    const char **key);
/* Values of a list, 0 for another value. */
size_t json_in_length(const struct json_in *v);
const struct json_in *json_in_at(const struct json_in *v, size_t i);
/* The bytes of a string, in UTF-8, with a NUL behind; {NULL, 0} for another
 * value. */
struct bytes json_in_string(const struct json_in *v);
bool json_in_true(const struct json_in *v);
double json_in_number(const struct json_in *v);
/* False unless v is a whole number. */
bool json_in_integer(const struct json_in *v, int64_t *number);

#endif
