// SPDX-License-Identifier: Apache-2.0
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "ptree.h"

/* ---- Texts ------------------------------------------------------------- */

static void
put_escaped(struct buf *out, unsigned char c)
{
	static const char plain[] = "\"\\/\b\f\n\r\t";
	static const char letter[] = "\"\\/bfnrt";
	const char *at = c != 0 ? strchr(plain, c) : NULL;

	if (at != NULL)
		buf_printf(out, "\\%c", letter[at - plain]);
	else
		buf_printf(out, "\\u%04X", c);
}

void
ptree_quote(struct buf *out, const char *s, size_t n)
{
	size_t from = 0;

	buf_puts(out, "\"");
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c >= 0x20 && c != '"' && c != '\\' && c != '/')
			continue;
		buf_add(out, s + from, i - from);
		put_escaped(out, c);
		from = i + 1;
	}
	buf_add(out, s + from, n - from);
	buf_puts(out, "\"");
}

/* ---- Documents --------------------------------------------------------- */

static void put_value(struct buf *out, const json_t *v);

static void
put_object(struct buf *out, const json_t *o)
{
	const char *key, *before = "{";
	json_t *v;

	/* The macro takes a pointer without const, but does not change *o. */
	json_object_foreach((json_t *)(uintptr_t)o, key, v) {
		buf_puts(out, before);
		ptree_quote(out, key, strlen(key));
		buf_puts(out, ":");
		put_value(out, v);
		before = ",";
	}
	buf_puts(out, "}");
}

static void
put_array(struct buf *out, const json_t *a)
{
	size_t i;
	json_t *v;

	json_array_foreach(a, i, v) {
		buf_puts(out, i == 0 ? "[" : ",");
		put_value(out, v);
	}
	buf_puts(out, "]");
}

static void
put_scalar(struct buf *out, const json_t *v)
{
	char number[40];

	switch (json_typeof(v)) {
	case JSON_STRING:
		ptree_quote(out, json_string_value(v), json_string_length(v));
		return;
	case JSON_INTEGER:
		buf_printf(out, "\"%lld\"", (long long)json_integer_value(v));
		return;
	case JSON_REAL:
		num_format_double(json_real_value(v), number, sizeof(number));
		buf_printf(out, "\"%s\"", number);
		return;
	case JSON_TRUE: buf_puts(out, "\"true\""); return;
	case JSON_FALSE: buf_puts(out, "\"false\""); return;
	case JSON_NULL: buf_puts(out, "\"null\""); return;
	default: buf_puts(out, "\"\"");		/* empty object or array */
	}
}

static void
put_value(struct buf *out, const json_t *v)
{
	if (json_object_size(v) > 0)
		put_object(out, v);
	else if (json_array_size(v) > 0)
		put_array(out, v);
	else
		put_scalar(out, v);
}

bool
ptree_rewrite(struct buf *out, struct bytes json, const char *member)
{
	json_t *root = json_loadb((const char *)json.p, json.n,
	    JSON_REJECT_DUPLICATES, NULL);
	const json_t *v = member != NULL ? json_object_get(root, member) :
	    root;

	if (v != NULL)
		put_value(out, v);
	json_decref(root);
	return v != NULL;
}
