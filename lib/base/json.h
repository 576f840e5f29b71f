/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A JSON writer (RFC 8259).  It writes commas and nesting; the caller
 * alternates keys and values.  Numbers are written in the C locale, and reading
 * them back gives the same value; numbers that are not finite become null.
 * Bytes in strings that are not valid UTF-8 become the escape u00XX: any file
 * name gives a valid document.  The object around such a string gets a last
 * member "invalid_utf8", which is true (rule 30).
 *
 * Why not jansson's writer: it needs the whole document as a tree in memory,
 * while this writer writes records as they come; it prints floats with 17
 * digits, not with the fewest that read back; and it refuses strings that are
 * not UTF-8.  Reading is different: foreign JSON is parsed by jansson, which is
 * the only reason why ten programs are linked with it (cix-pack, npu-bench,
 * npu-model, npu-serve, vec-drift, vec-nearest, xclbin-info, xclbin-pack,
 * xdna-run and yolo-draw).
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct json {
	struct buf out;		/* the text so far; free with json_free() */
	bool comma;		/* this container already has a value */
	bool after_key;		/* the next value belongs to a key */
	bool pretty;		/* set before use: one member per line */
	unsigned depth;
	uint64_t invalid;	/* bit N: a string at depth N was not UTF-8 */
	/* Set before use: adds to *out the replacement for each string value.
	 * NULL: strings are written unchanged. */
	void (*rewrite)(const void *arg, const char *s, size_t n,
	    struct buf *out);
	const void *rewrite_arg;
	/* Set before use: adds a string, with its quotes, in another program's
	 * style.  NULL: our style. */
	void (*quote)(struct buf *out, const char *s, size_t n);
};

void json_object(struct json *j);	/* { */
void json_end_object(struct json *j);	/* } */
void json_array(struct json *j);	/* [ */
void json_end_array(struct json *j);	/* ] */
void json_key(struct json *j, const char *key);
void json_str(struct json *j, const char *s);	/* NULL writes null */
/* The same for n bytes; s may be NULL if n is 0. */
void json_strn(struct json *j, const char *s, size_t n);
void json_int(struct json *j, int64_t v);
void json_uint(struct json *j, uint64_t v);
void json_float(struct json *j, float v);	/* the shortest form that reads
						   back */
void json_double(struct json *j, double v);
void json_bool(struct json *j, bool v);
void json_null(struct json *j);
/* Marks this object as if one of its strings were not UTF-8, because a string
 * was not in the source. */
void json_mark_invalid(struct json *j);
/* Write a key and its value.  "" means unknown and becomes null. */
void json_member_str(struct json *j, const char *key, const char *s);
void json_member_uint(struct json *j, const char *key, uint64_t v);
void json_member_double(struct json *j, const char *key, double v);
/* Does the same; 0 means unknown, or not asked for, and becomes null. */
void json_member_count(struct json *j, const char *key, uint64_t n);
void json_free(struct json *j);

#endif
