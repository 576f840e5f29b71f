// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/num.h"
#include "base/utf8.h"

static void
newline(struct json *j)
{
	if (!j->pretty)
		return;
	buf_puts(&j->out, "\n");
	for (unsigned i = 0; i < j->depth; i++)
		buf_puts(&j->out, "  ");
}

/* Writes the separator before a member or an element. */
static void
put_separator(struct json *j)
{
	if (j->comma)
		buf_puts(&j->out, ",");
	if (j->depth > 0)
		newline(j);
	j->comma = true;
}

/* Begins a value; after a key, json_key() has written the separator. */
static void
begin_value(struct json *j)
{
	if (!j->after_key)
		put_separator(j);
	j->after_key = false;
}

static void
open_with(struct json *j, const char *bracket)
{
	begin_value(j);
	buf_puts(&j->out, bracket);
	j->depth++;
	j->comma = false;
}

/* Returns whether the container that ends here had a string that was not UTF-8.
 * A list passes that on to the object around it. */
static bool
pop_invalid(struct json *j, unsigned depth)
{
	uint64_t bit = depth < 64 ? (uint64_t)1 << depth : 0;
	bool was = (j->invalid & bit) != 0;

	j->invalid &= ~bit;
	return was;
}

void
json_mark_invalid(struct json *j)
{
	if (j->depth < 64)
		j->invalid |= (uint64_t)1 << j->depth;
}

static void
close_with(struct json *j, const char *bracket)
{
	j->depth--;
	if (j->comma)
		newline(j);
	buf_puts(&j->out, bracket);
	j->comma = true;
}

void json_object(struct json *j) { open_with(j, "{"); }
void json_array(struct json *j) { open_with(j, "["); }

void
json_end_object(struct json *j)
{
	if (pop_invalid(j, j->depth)) {
		json_key(j, "invalid_utf8");
		json_bool(j, true);
	}
	close_with(j, "}");
}

void
json_end_array(struct json *j)
{
	bool invalid = pop_invalid(j, j->depth);

	close_with(j, "]");
	if (invalid)
		json_mark_invalid(j);
}

/* Writes a code point that must be escaped. */
static void
put_escaped(struct json *j, uint32_t c)
{
	if (c == '"' || c == '\\')
		buf_printf(&j->out, "\\%c", (int)c);
	else if (c == '\n')
		buf_puts(&j->out, "\\n");
	else if (c == '\t')
		buf_puts(&j->out, "\\t");
	else
		buf_printf(&j->out, "\\u%04x", (unsigned)c);
}

/* Adds runs without escapes whole: most texts are a single run. */
static void
put_string(struct json *j, const char *s, size_t n)
{
	size_t i = 0, from = 0, len;
	uint32_t c;

	if (j->quote != NULL) {
		j->quote(&j->out, s, n);
		return;
	}
	buf_puts(&j->out, "\"");
	while (i < n) {
		len = utf8_decode(s + i, n - i, &c);
		if (len > 0 && !utf8_is_control(c) && c != '"' && c != '\\') {
			i += len;
			continue;
		}
		if (len == 0)
			json_mark_invalid(j);
		buf_add(&j->out, s + from, i - from);
		put_escaped(j, len > 0 ? c : (unsigned char)s[i]);
		from = i += len > 0 ? len : 1;
	}
	buf_add(&j->out, s + from, n - from);
	buf_puts(&j->out, "\"");
}

void
json_key(struct json *j, const char *key)
{
	put_separator(j);
	put_string(j, key, strlen(key));
	buf_puts(&j->out, j->pretty ? ": " : ":");
	j->after_key = true;
}

void
json_str(struct json *j, const char *s)
{
	if (s == NULL)
		json_null(j);
	else
		json_strn(j, s, strlen(s));
}

void
json_strn(struct json *j, const char *s, size_t n)
{
	struct buf other = { 0 };

	begin_value(j);
	if (n == 0)
		s = "";
	if (j->rewrite == NULL) {
		put_string(j, s, n);
		return;
	}
	j->rewrite(j->rewrite_arg, s, n, &other);
	put_string(j, other.p != NULL ? other.p : "", other.n);
	j->out.failed |= other.failed;
	buf_free(&other);
}

static void
put_literal(struct json *j, const char *s)
{
	begin_value(j);
	buf_puts(&j->out, s);
}

void
json_int(struct json *j, int64_t v)
{
	begin_value(j);
	buf_printf(&j->out, "%" PRId64, v);
}

void
json_uint(struct json *j, uint64_t v)
{
	begin_value(j);
	buf_printf(&j->out, "%" PRIu64, v);
}

void
json_double(struct json *j, double v)
{
	char s[40] = "null";

	if (isfinite(v))
		num_format_double(v, s, sizeof(s));
	put_literal(j, s);
}

void
json_float(struct json *j, float v)
{
	char s[40] = "null";

	if (isfinite(v))
		num_format_float(v, s, sizeof(s));
	put_literal(j, s);
}

void
json_bool(struct json *j, bool v)
{
	put_literal(j, v ? "true" : "false");
}

void
json_null(struct json *j)
{
	put_literal(j, "null");
}

void
json_member_str(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	json_str(j, *s != '\0' ? s : NULL);
}

void
json_member_uint(struct json *j, const char *key, uint64_t v)
{
	json_key(j, key);
	json_uint(j, v);
}

void
json_member_double(struct json *j, const char *key, double v)
{
	json_key(j, key);
	json_double(j, v);
}

void
json_member_count(struct json *j, const char *key, uint64_t n)
{
	json_key(j, key);
	if (n != 0)
		json_uint(j, n);
	else
		json_null(j);
}

void
json_free(struct json *j)
{
	buf_free(&j->out);
}
