// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/err.h"
#include "base/json_reason.h"
#include "json_in.h"

/* ---- Bounds ------------------------------------------------------------ */

struct counter {
	size_t depth, values;
	bool in_string;
};

/* Counts what a character begins. */
static void
count(struct counter *c, char ch)
{
	switch (ch) {
	case '"': c->in_string = true; break;
	case '[': case '{': c->depth++; c->values++; break;
	case ']': case '}': c->depth -= c->depth > 0; break;
	case ',': c->values++; break;
	}
}

/* Looks at a text that need not be JSON: values are counted by what stands
 * between them. */
static int
check_bounds(struct bytes text, size_t most, struct npu_err *err)
{
	struct counter c = { 0 };

	for (size_t i = 0; i < text.n; i++) {
		if (!c.in_string)
			count(&c, (char)text.p[i]);
		else if (text.p[i] == '\\')
			i++;
		else if (text.p[i] == '"')
			c.in_string = false;
		if (c.depth > JSON_IN_DEPTH)
			return npu_fail(err, NPU_EFORMAT, "the JSON is nested "
			    "deeper than %d at byte %zu", JSON_IN_DEPTH,
			    i + 1);
		if (c.values > most)
			return npu_fail(err, NPU_EFORMAT, "the JSON has more "
			    "than %zu values", most);
	}
	return 0;
}

/* ---- Memory ------------------------------------------------------------ */

/* jansson calls some texts damaged for which it had no memory. */
static _Thread_local bool no_memory;

static void *
allocate(size_t n)
{
	void *p = malloc(n);

	if (p == NULL)
		no_memory = true;
	return p;
}

static void
watch_memory(void)
{
	json_set_alloc_funcs(allocate, free);
}

/* ---- Reading ----------------------------------------------------------- */

struct json_in *
json_in_parse(struct bytes text, size_t most_values, struct npu_err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	json_error_t e;
	json_t *v;

	if (text.n == 0) {
		npu_fail(err, NPU_EFORMAT, "the body is empty; JSON is "
		    "expected");
		return NULL;
	}
	if (check_bounds(text, most_values, err) < 0)
		return NULL;
	pthread_once(&once, watch_memory);
	no_memory = false;
	v = json_loadb((const char *)text.p, text.n, JSON_REJECT_DUPLICATES |
	    JSON_DECODE_ANY, &e);
	if (v == NULL && no_memory)
		npu_fail(err, NPU_ESYSTEM, "out of memory");
	else if (v == NULL)
		npu_fail(err, NPU_EFORMAT, "not JSON: line %d, column %d: %s",
		    e.line, e.column, json_reason(&e));
	return (struct json_in *)v;
}

void
json_in_free(void *document)
{
	json_decref(document);
}

/* ---- Values ------------------------------------------------------------ */

static const json_t *
value(const struct json_in *v)
{
	return (const void *)v;
}

enum json_in_kind
json_in_kind(const struct json_in *v)
{
	if (v == NULL)
		return IN_MISSING;
	switch (json_typeof(value(v))) {
	case JSON_OBJECT: return IN_OBJECT;
	case JSON_ARRAY: return IN_LIST;
	case JSON_STRING: return IN_STRING;
	case JSON_INTEGER: case JSON_REAL: return IN_NUMBER;
	case JSON_TRUE: case JSON_FALSE: return IN_BOOL;
	default: return IN_NULL;
	}
}

const char *
json_in_kind_name(const struct json_in *v)
{
	static const char *const names[] = { "missing", "null", "a boolean",
	    "a number", "a string", "a list", "an object" };

	return names[json_in_kind(v)];
}

const struct json_in *
json_in_member(const struct json_in *v, const char *key)
{
	return (const void *)json_object_get(value(v), key);
}

const struct json_in *
json_in_member_at(const struct json_in *v, size_t i, const char **key)
{
	json_t *o = (json_t *)(uintptr_t)v;
	void *at = json_object_iter(o);

	while (at != NULL && i-- > 0)
		at = json_object_iter_next(o, at);
	if (at == NULL)
		return NULL;
	*key = json_object_iter_key(at);
	return (const void *)json_object_iter_value(at);
}

size_t
json_in_length(const struct json_in *v)
{
	return json_array_size(value(v));
}

const struct json_in *
json_in_at(const struct json_in *v, size_t i)
{
	return (const void *)json_array_get(value(v), i);
}

struct bytes
json_in_string(const struct json_in *v)
{
	return (struct bytes){ (const uint8_t *)json_string_value(value(v)),
	    json_string_length(value(v)) };
}

bool
json_in_true(const struct json_in *v)
{
	return json_is_true(value(v));
}

double
json_in_number(const struct json_in *v)
{
	return json_number_value(value(v));
}

bool
json_in_integer(const struct json_in *v, int64_t *number)
{
	if (!json_is_integer(value(v)))
		return false;
	*number = json_integer_value(value(v));
	return true;
}
