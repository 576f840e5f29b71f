// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/err.h"
#include "base/json_reason.h"
#include "base/num.h"
#include "store/line.h"

/* The most values in addition to the longest vector's.  Limited because each
 * value takes many times its bytes of memory. */
enum { OTHERS = 4096 };

void
line_free(struct line *l)
{
	json_decref(l->root);
	free(l->numbers);
	*l = (struct line){ 0 };
}

/* Clears what the previous line has left, but keeps the memory. */
static void
clear(struct line *l)
{
	float *numbers = l->numbers;
	size_t cap = l->cap;

	l->numbers = NULL;
	line_free(l);
	l->numbers = numbers;
	l->cap = cap;
}

static size_t
commas(const char *p, const char *end)
{
	size_t n = 0;

	for (; (p = memchr(p, ',', (size_t)(end - p))) != NULL; p++)
		n++;
	return n;
}

/* Returns the end of the string whose quote is at p, or end if the string is
 * not closed. */
static const char *
behind_string(const char *p, const char *end)
{
	for (p++; p < end; p++) {
		if (*p == '"')
			return p + 1;
		if (*p == '\\' && p + 1 < end)
			p++;
	}
	return end;
}

/* Limits the number of values.  Commas within strings do not separate values: a
 * text may have any number of commas. */
static int
bound(const char *p, size_t n, struct npu_err *err)
{
	const char *end = p + n, *quote;
	size_t values = 0;

	while (p < end) {
		quote = memchr(p, '"', (size_t)(end - p));
		values += commas(p, quote != NULL ? quote : end);
		p = quote != NULL ? behind_string(quote, end) : end;
	}
	if (values > INDEX_MAX_DIM + OTHERS)
		return npu_fail(err, NPU_EFORMAT, "more than %d values",
		    INDEX_MAX_DIM + OTHERS);
	return 0;
}

static int
parse(struct line *l, const char *p, size_t n, struct npu_err *err)
{
	json_error_t e;

	l->root = json_loadb(p, n, JSON_REJECT_DUPLICATES |
	    JSON_ALLOW_NUL, &e);
	/* jansson has no message for this error. */
	if (l->root == NULL && e.text[0] == '\0')
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if (l->root == NULL)
		return npu_fail(err, NPU_EFORMAT, "byte %d: %s", e.position,
		    json_reason(&e));
	if (!json_is_object(l->root))
		return npu_fail(err, NPU_EFORMAT, "not an object, which "
		    "{\"vector\":[...]} is");
	return 0;
}

/* ---- Members ----------------------------------------------------------- */

/* Returns whether v is a string with a NUL.  Only an id may have a NUL, because
 * a text may have one. */
static bool
has_nul(const json_t *v)
{
	return json_is_string(v) &&
	    strlen(json_string_value(v)) != json_string_length(v);
}

/* Reads a string; sets *value to NULL if it is null or missing. */
static int
text(const struct line *l, const char *key, const char **value,
    struct npu_err *err)
{
	const json_t *v = json_object_get(l->root, key);

	if (v != NULL && !json_is_null(v) && !json_is_string(v))
		return npu_fail(err, NPU_EFORMAT, "%s: not a string", key);
	if (has_nul(v))
		return npu_fail(err, NPU_EFORMAT, "%s: has a NUL", key);
	*value = json_string_value(v);
	return 0;
}

static int
read_id(struct line *l, struct npu_err *err)
{
	const json_t *v = json_object_get(l->root, "id");

	if (v == NULL || json_is_null(v))
		return 0;
	if (json_is_string(v)) {
		l->id = json_string_value(v);
		l->id_n = json_string_length(v);
		/* invalid_utf8 may concern the model's name only; in the id, a
		 * byte that was not UTF-8 has become U+0080 to U+00FF. */
		l->not_utf8 = json_is_true(json_object_get(l->root,
		    "invalid_utf8")) &&
		    (memchr(l->id, 0xc2, l->id_n) != NULL ||
		    memchr(l->id, 0xc3, l->id_n) != NULL);
		return 0;
	}
	if (json_is_integer(v))
		snprintf(l->number, sizeof(l->number), "%" JSON_INTEGER_FORMAT,
		    json_integer_value(v));
	else if (json_is_real(v))
		num_format_double(json_real_value(v), l->number,
		    sizeof(l->number));
	else
		return npu_fail(err, NPU_EFORMAT, "id: neither a string nor a "
		    "number");
	l->id = l->number;
	l->id_n = strlen(l->number);
	return 0;
}

static int
digit(char c)
{
	const char *digits = "0123456789abcdef", *at;

	at = c != '\0' ? strchr(digits, c) : NULL;
	return at != NULL ? (int)(at - digits) : -1;
}

static int
read_hash(struct line *l, struct npu_err *err)
{
	const char *hex;
	int rc, a, b;

	if ((rc = text(l, "model_sha256", &hex, err)) < 0 || hex == NULL)
		return rc;
	for (size_t i = 0; i < INDEX_SHA256; i++) {
		a = digit(hex[2 * i]);
		b = a < 0 ? -1 : digit(hex[2 * i + 1]);
		if (b < 0)
			return npu_fail(err, NPU_EFORMAT, "model_sha256: not "
			    "64 digits of 0-9a-f");
		l->sha256[i] = (uint8_t)(a << 4 | b);
	}
	if (hex[2 * INDEX_SHA256] != '\0')
		return npu_fail(err, NPU_EFORMAT, "model_sha256: more than 64 "
		    "digits");
	if (index_is_known(l->sha256))
		l->model_sha256 = l->sha256;
	return 0;
}

/* Reads the members with fixed words; unknown words are ignored. */
static int
read_words(struct line *l, struct npu_err *err)
{
	const char *schema, *kind, *norm;
	int rc;

	if ((rc = text(l, "schema", &schema, err)) < 0 ||
	    (rc = text(l, "kind", &kind, err)) < 0 ||
	    (rc = text(l, "norm", &norm, err)) < 0 ||
	    (rc = text(l, "model", &l->model, err)) < 0 ||
	    (rc = text(l, "preprocessing", &l->preprocessing, err)) < 0 ||
	    (rc = text(l, "error", &l->error, err)) < 0)
		return rc;
	if (schema != NULL && strncmp(schema, "clip-embed/", 11) == 0 &&
	    strcmp(schema, "clip-embed/1") != 0)
		return npu_fail(err, NPU_EFORMAT, "schema: %.100s, and "
		    "clip-embed/1 is understood", schema);
	if (kind != NULL && strcmp(kind, "text") == 0)
		l->kind = INDEX_TEXT;
	if (kind != NULL && strcmp(kind, "image") == 0)
		l->kind = INDEX_IMAGE;
	l->has_norm = norm != NULL && (strcmp(norm, "l2") == 0 ||
	    strcmp(norm, "none") == 0);
	l->norm = l->has_norm && norm[0] == 'l' ? INDEX_NORM_L2 :
	    INDEX_NORM_NONE;
	return 0;
}

/* ---- Vector ------------------------------------------------------------ */

static int
room(struct line *l, size_t n, struct npu_err *err)
{
	float *more;

	if (n <= l->cap)
		return 0;
	if ((more = realloc(l->numbers, n * sizeof(*more))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	l->numbers = more;
	l->cap = n;
	return 0;
}

static int
check_dim(const struct line *l, size_t n, struct npu_err *err)
{
	const json_t *dim = json_object_get(l->root, "dim");

	if (n == 0 || n > INDEX_MAX_DIM)
		return npu_fail(err, NPU_EFORMAT, "vector: %zu numbers; 1 to "
		    "%d are possible", n, INDEX_MAX_DIM);
	if (json_is_integer(dim) && json_integer_value(dim) != (json_int_t)n)
		return npu_fail(err, NPU_EFORMAT, "vector: %zu numbers, and "
		    "dim is %" JSON_INTEGER_FORMAT, n,
		    json_integer_value(dim));
	return 0;
}

static int
read_vector(struct line *l, struct npu_err *err)
{
	const json_t *v = json_object_get(l->root, "vector"), *x;
	size_t n = json_array_size(v);
	int rc;

	if (v == NULL && l->error != NULL)
		return 0;
	if (!json_is_array(v))
		return npu_fail(err, NPU_EFORMAT, "vector: %s", v == NULL ?
		    "missing" : "not an array");
	if ((rc = check_dim(l, n, err)) < 0 || (rc = room(l, n, err)) < 0)
		return rc;
	for (size_t i = 0; i < n; i++) {
		x = json_array_get(v, i);
		if (!json_is_number(x) && !json_is_null(x))
			return npu_fail(err, NPU_EFORMAT, "vector[%zu]: not a "
			    "number", i);
		l->numbers[i] = json_is_null(x) ? NAN :
		    (float)json_number_value(x);
	}
	l->x = l->numbers;
	l->dim = (uint32_t)n;
	l->error = NULL;
	return 0;
}

int
line_read(struct line *l, const char *p, size_t n, struct npu_err *err)
{
	int rc;

	clear(l);
	if ((rc = bound(p, n, err)) < 0 || (rc = parse(l, p, n, err)) < 0 ||
	    (rc = read_id(l, err)) < 0 || (rc = read_hash(l, err)) < 0 ||
	    (rc = read_words(l, err)) < 0)
		return rc;
	return read_vector(l, err);
}
