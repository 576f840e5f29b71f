// SPDX-License-Identifier: Apache-2.0
/* JSON strings that are not UTF-8 are escaped and flagged (rule 30). */
#include <string.h>

#include <math.h>

#include "base/json.h"
#include "tap.h"

static bool
is(struct json *j, const char *want)
{
	bool same = !j->out.failed && j->out.n == strlen(want) &&
	    memcmp(j->out.p, want, j->out.n) == 0;

	if (!same)
		printf("# %.*s\n", (int)j->out.n, j->out.p);
	json_free(j);
	return same;
}

static void
name(struct json *j, const char *s)
{
	json_object(j);
	json_key(j, "name");
	json_str(j, s);
	json_end_object(j);
}

static void
list(struct json *j, const char *s)
{
	json_object(j);
	json_key(j, "names");
	json_array(j);
	json_str(j, "a");
	json_str(j, s);
	json_end_array(j);
	json_key(j, "n");
	json_uint(j, 2);
	json_end_object(j);
}

static void
upper(const void *arg, const char *s, size_t n, struct buf *out)
{
	(void)arg;
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%c", s[i] - 'a' + 'A');
}

/* Each string that is a value is rewritten; keys are not. */
static void
rewritten(void)
{
	struct json j = { .rewrite = upper };

	json_object(&j);
	json_member_str(&j, "key", "value");
	json_key(&j, "empty");
	json_strn(&j, "", 0);
	json_end_object(&j);
	ok(is(&j, "{\"key\":\"VALUE\",\"empty\":\"\"}"),
	    "string values are rewritten, keys are not");
}

static void
numbers(void)
{
	struct json j = { 0 };

	json_array(&j);
	json_float(&j, INFINITY);
	json_double(&j, NAN);
	json_float(&j, .25f);
	json_double(&j, 1e-320);
	json_end_array(&j);
	ok(is(&j, "[null,null,0.25,9.99989e-321]"),
	    "numbers are printed as they read back, infinity and NaN as null");
}

int
main(void)
{
	rewritten();
	numbers();
	struct json j = { 0 };

	name(&j, "d\xc3\xa9j\xc3\xa0");
	ok(is(&j, "{\"name\":\"d\xc3\xa9j\xc3\xa0\"}"), "a string in UTF-8 is "
	    "printed unchanged");
	j = (struct json){ 0 };
	name(&j, "a\xff" "b\xc3");
	ok(is(&j, "{\"name\":\"a\\u00ffb\\u00c3\",\"invalid_utf8\":true}"),
	    "invalid bytes are escaped, and the object gets invalid_utf8");

	j = (struct json){ 0 };
	json_array(&j);
	name(&j, "\x80");
	name(&j, "good");
	json_end_array(&j);
	ok(is(&j, "[{\"name\":\"\\u0080\",\"invalid_utf8\":true},"
	    "{\"name\":\"good\"}]"), "only the object with invalid bytes gets "
	    "invalid_utf8, not the next object");

	j = (struct json){ 0 };
	json_object(&j);
	json_key(&j, "model");
	name(&j, "\xfe");
	json_end_object(&j);
	ok(is(&j, "{\"model\":{\"name\":\"\\u00fe\",\"invalid_utf8\":true}}"),
	    "an outer object does not get invalid_utf8 for an inner object");

	j = (struct json){ 0 };
	list(&j, "\xc0\xaf");
	ok(is(&j, "{\"names\":[\"a\",\"\\u00c0\\u00af\"],\"n\":2,"
	    "\"invalid_utf8\":true}"), "invalid bytes in an array set "
	    "invalid_utf8 in the object around it");

	j = (struct json){ 0 };
	json_object(&j);
	json_key(&j, "\xff");
	json_null(&j);
	json_end_object(&j);
	ok(is(&j, "{\"\\u00ff\":null,\"invalid_utf8\":true}"), "invalid bytes "
	    "in a key are escaped and set invalid_utf8");

	j = (struct json){ 0 };
	json_object(&j);
	json_member_str(&j, "name", "\xc3\xa9");
	json_mark_invalid(&j);
	json_key(&j, "next");
	name(&j, "a");
	json_end_object(&j);
	ok(is(&j, "{\"name\":\"\xc3\xa9\",\"next\":{\"name\":\"a\"},"
	    "\"invalid_utf8\":true}"), "json_mark_invalid() sets invalid_utf8 "
	    "though the string is valid");

	/* Beyond the nesting depth that is tracked, strings are still
	 * escaped. */
	j = (struct json){ 0 };
	for (int i = 0; i < 100; i++)
		json_array(&j);
	json_str(&j, "\xff");
	for (int i = 0; i < 100; i++)
		json_end_array(&j);
	ok(j.out.n == 208 && !j.out.failed,
	    "invalid bytes are escaped in 100 nested arrays");
	json_free(&j);
	return done();
}
