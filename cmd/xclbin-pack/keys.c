// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/err.h"
#include "base/json_reason.h"
#include "json_field.h"
#include "keys.h"
#include "ptree.h"

/* ---- Writing ----------------------------------------------------------- */

static void
put_pair(struct buf *out, const char *key, const char *value)
{
	buf_puts(out, "{\"key\":");
	ptree_quote(out, key, strlen(key));
	buf_puts(out, ",\"value\":");
	ptree_quote(out, value, strlen(value));
	buf_puts(out, "}");
}

/* Begins the section.  As in all output of xclbinutil, a list without entries
 * is an empty text. */
static void
begin(struct buf *out, size_t pairs)
{
	buf_puts(out, "{\"key_values\":");
	buf_puts(out, pairs > 0 ? "[" : "\"\"");
}

static void
end(struct buf *out, size_t pairs)
{
	buf_puts(out, pairs > 0 ? "]}" : "}");
}

/* ---- Sections ---------------------------------------------------------- */

static int
find_pairs(const json_t *o, const json_t **list, struct npu_err *err)
{
	const char *s = json_string_value(json_object_get(o, "key_values"));

	*list = NULL;
	if (s != NULL && *s == '\0')
		return 0;
	return field_list(o, "key_values", list, err);
}

static int
read_pair(const json_t *o, struct buf *key, struct buf *value,
    struct npu_err *err)
{
	int rc;

	if ((rc = value_text(json_object_get(o, "key"), key, err)) < 0)
		return npu_prefix(err, rc, "\"key\"");
	if ((rc = value_text(json_object_get(o, "value"), value, err)) == 0)
		return 0;
	buf_free(key);
	return npu_prefix(err, rc, "\"value\"");
}

/* Returns the last value in set for the key, or now if set does not have the
 * key. */
static const char *
value_of(const char *key, const char *now, const struct key_value *set,
    size_t n)
{
	for (size_t i = n; i > 0; i--)
		if (strcmp(set[i - 1].key, key) == 0)
			return set[i - 1].value;
	return now;
}

/* Returns true if the list of pairs or set[0..n) has the key. */
static bool
has_key(const json_t *list, const char *key, const struct key_value *set,
    size_t n)
{
	const json_t *o;
	const char *s;
	size_t i;

	json_array_foreach(list, i, o) {
		s = json_string_value(json_object_get(o, "key"));
		if (s != NULL && strcmp(s, key) == 0)
			return true;
	}
	return value_of(key, NULL, set, n) != NULL;
}

static size_t
count_new(const json_t *list, const struct key_value *set, size_t n)
{
	size_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += !has_key(list, set[i].key, set, i);
	return all;
}

static int
write_pairs(const json_t *list, const struct key_value *set, size_t n,
    struct buf *out, struct npu_err *err)
{
	const size_t pairs = json_array_size(list) + count_new(list, set, n);
	const char *comma = "";
	const json_t *o;
	size_t i;
	int rc;

	begin(out, pairs);
	json_array_foreach(list, i, o) {
		struct buf key = { 0 }, value = { 0 };

		if ((rc = read_pair(o, &key, &value, err)) < 0)
			return npu_prefix(err, rc, "key_values %zu", i);
		buf_puts(out, comma);
		put_pair(out, key.p, value_of(key.p, value.p, set, n));
		buf_free(&key);
		buf_free(&value);
		comma = ",";
	}
	for (i = 0; i < n; i++) {
		if (has_key(list, set[i].key, set, i))
			continue;
		buf_puts(out, comma);
		put_pair(out, set[i].key, value_of(set[i].key, "", set, n));
		comma = ",";
	}
	end(out, pairs);
	return 0;
}

int
keys_from_json(const json_t *root, const char *node, struct buf *out,
    struct npu_err *err)
{
	const json_t *o, *list;
	int rc;

	if ((rc = field_object(root, node, &o, err)) < 0 ||
	    (rc = find_pairs(o, &list, err)) < 0)
		return rc;
	return write_pairs(list, NULL, 0, out, err);
}

/* Parses the section; *root is NULL if the section is empty. */
static int
parse(struct bytes section, json_t **root, struct npu_err *err)
{
	json_error_t e;

	*root = NULL;
	if (section.n == 0 || (*root = json_loadb((const char *)section.p,
	    section.n, JSON_REJECT_DUPLICATES, &e)) != NULL)
		return 0;
	return npu_fail(err, NPU_EFORMAT, "not JSON: line %d: %s", e.line,
	    json_reason(&e));
}

int
keys_set(struct bytes section, const struct key_value *set, size_t n,
    struct buf *out, struct npu_err *err)
{
	const json_t *list = NULL;
	json_t *root;
	int rc;

	if ((rc = parse(section, &root, err)) < 0)
		return rc;
	if (root != NULL)
		rc = find_pairs(root, &list, err);
	if (rc == 0)
		rc = write_pairs(list, set, n, out, err);
	json_decref(root);
	return rc;
}
