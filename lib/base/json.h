/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A JSON writer (RFC 8259).  It writes commas and nesting; the caller
 * alternates keys and values.  Numbers are written in the C locale, so that
 * reading them back gives the same value; numbers that are not finite become
 * null.  Bytes in strings that are not valid UTF-8 become the escape u00XX, so
 * that any file name gives a valid document, and the object around such a
 * string gets a last member "invalid_utf8", which is true (rule 30).
 *
 * Why not jansson's writer: it needs the whole document as a tree in memory,
 * where this one writes records as they come; it prints floats with 17 digits,
 * not the fewest that read back; and it refuses strings that are not UTF-8.
 * Reading is different: foreign JSON is parsed by jansson, the only reason why
 * nine programs are linked with it (cix-pack, npu-bench, npu-serve, vec-drift,
 * vec-nearest, xclbin-info, xclbin-pack, xdna-run and yolo-draw).
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct json {
	struct buf out;		/* the text so far; free with json_free() */
	bool comma;		/* this container has a value already */
	bool after_key;		/* the next value belongs to a key */
	bool pretty;		/* set before use: one member per line */
	unsigned depth;
	uint64_t invalid;	/* bit N: a string at depth N was not UTF-8 */
	/* Set before use: adds to *out the replacement for each string that is
	 * a value; NULL: strings are written as they are. */
	void (*rewrite)(const void *arg, const char *s, size_t n,
	    struct buf *out);
	const void *rewrite_arg;
	/* Set before use: adds a string, with its quotes, in the style of
	 * another program; NULL: in ours. */
	void (*quote)(struct buf *out, const char *s, size_t n);
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
void json_float(struct json *j, float v);	/* the shortest that reads
						   back */
void json_double(struct json *j, double v);
void json_bool(struct json *j, bool v);
void json_null(struct json *j);
/* Marks this object as if one of its strings were not UTF-8, as it was at its
 * source. */
void json_mark_invalid(struct json *j);
/* A key and its value; "" becomes null: unknown. */
void json_member_str(struct json *j, const char *key, const char *s);
void json_member_uint(struct json *j, const char *key, uint64_t v);
void json_member_double(struct json *j, const char *key, double v);
/* 0 becomes null: unknown, or not asked for. */
void json_member_count(struct json *j, const char *key, uint64_t n);
void json_free(struct json *j);

#endif
