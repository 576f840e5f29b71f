/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A JSON writer (RFC 8259).  It keeps the commas and the nesting; the caller
 * keeps keys and values in step.  Numbers are written in the C locale, so that
 * reading them back gives the same value; non-finite numbers become null.
 * Strings: bytes that are not valid UTF-8 become the escape u00XX, so that
 * any file name gives a valid document, and the object with such a string gets
 * a last member "invalid_utf8", which is true (rule 30).
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct json {
	struct buf out;		/* the text so far; json_free() */
	bool comma;		/* a value stands before in this container */
	bool after_key;		/* the next value belongs to a key */
	bool pretty;		/* set before use: one member a line */
	unsigned depth;
	uint64_t invalid;	/* bit N: a string at depth N was not UTF-8 */
	/* Set before use: what is written instead of each string that is a
	 * value, added to *out; NULL: the string itself. */
	void (*rewrite)(const void *arg, const char *s, size_t n,
	    struct buf *out);
	const void *rewrite_arg;
};

void json_object(struct json *j);	/* { */
void json_end_object(struct json *j);	/* } */
void json_array(struct json *j);	/* [ */
void json_end_array(struct json *j);	/* ] */
void json_key(struct json *j, const char *key);
void json_str(struct json *j, const char *s);	/* NULL: null */
void json_strn(struct json *j, const char *s, size_t n);
void json_int(struct json *j, int64_t v);
void json_uint(struct json *j, uint64_t v);
void json_float(struct json *j, float v);	/* shortest that reads back */
void json_double(struct json *j, double v);
void json_bool(struct json *j, bool v);
void json_null(struct json *j);
/* As if a string of this object had not been UTF-8, as it was where it came
 * from. */
void json_mark_invalid(struct json *j);
/* A key and its value in one; "" becomes null: not known. */
void json_member_str(struct json *j, const char *key, const char *s);
void json_member_uint(struct json *j, const char *key, uint64_t v);
void json_member_double(struct json *j, const char *key, double v);
/* 0 becomes null: it was not told, or not asked for. */
void json_member_count(struct json *j, const char *key, uint64_t n);
void json_free(struct json *j);

#endif
