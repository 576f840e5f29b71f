// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "json_field.h"

static int
missing(struct npu_err *err, const char *key)
{
	return npu_fail(err, NPU_EFORMAT, "has no \"%s\"", key);
}

/* ---- Objects and lists -------------------------------------------------- */

int
field_object(const json_t *o, const char *key, const json_t **v,
    struct npu_err *err)
{
	if ((*v = json_object_get(o, key)) == NULL)
		return missing(err, key);
	if (!json_is_object(*v))
		return npu_fail(err, NPU_EFORMAT, "\"%s\" is not an object",
		    key);
	return 0;
}

int
field_list_if(const json_t *o, const char *key, const json_t **v,
    struct npu_err *err)
{
	if ((*v = json_object_get(o, key)) != NULL && !json_is_array(*v))
		return npu_fail(err, NPU_EFORMAT, "\"%s\" is not a list", key);
	return 0;
}

int
field_list(const json_t *o, const char *key, const json_t **v,
    struct npu_err *err)
{
	int rc = field_list_if(o, key, v, err);

	return rc == 0 && *v == NULL ? missing(err, key) : rc;
}

/* ---- Texts ------------------------------------------------------------- */

int
field_text_if(const json_t *o, const char *key, size_t most, const char **s,
    struct npu_err *err)
{
	const json_t *v = json_object_get(o, key);

	*s = "";
	if (v == NULL)
		return 0;
	if (!json_is_string(v))
		return npu_fail(err, NPU_EFORMAT, "\"%s\" is not a text", key);
	if (json_string_length(v) > most)
		return npu_fail(err, NPU_EFORMAT, "\"%s\" '%.80s' has %zu "
		    "bytes; at most %zu fit", key, json_string_value(v),
		    json_string_length(v), most);
	*s = json_string_value(v);
	return 0;
}

int
field_text(const json_t *o, const char *key, size_t least, size_t most,
    const char **s, struct npu_err *err)
{
	int rc;

	if (json_object_get(o, key) == NULL)
		return missing(err, key);
	if ((rc = field_text_if(o, key, most, s, err)) < 0)
		return rc;
	if (strlen(*s) < least)
		return npu_fail(err, NPU_EFORMAT, "\"%s\" is empty", key);
	return 0;
}

int
value_text(const json_t *v, struct buf *b, struct npu_err *err)
{
	if (v == NULL)
		return npu_fail(err, NPU_EFORMAT, "missing");
	if (json_is_integer(v))
		buf_printf(b, "%lld", (long long)json_integer_value(v));
	else if (json_is_string(v))
		buf_add(b, json_string_value(v), json_string_length(v));
	else
		return npu_fail(err, NPU_EFORMAT, "neither a text nor a whole "
		    "number");
	buf_add(b, "", 1);
	if (!b->failed)
		return 0;
	buf_free(b);
	return npu_fail(err, NPU_ESYSTEM, "out of memory");
}

/* ---- Numbers ----------------------------------------------------------- */

/* Parses the whole of s as a decimal number or, after 0x, as a hexadecimal
 * number.  With leading zeros, it must have the same value in base 8:
 * xclbinutil reads some numbers in that way. */
static bool
parse_number(const char *s, uint64_t *n)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	char *end;

	if (!isdigit((unsigned char)*s) ||
	    (hex && !isxdigit((unsigned char)s[2])))
		return false;
	errno = 0;
	*n = strtoull(s, &end, hex ? 16 : 10);
	if (errno != 0 || *end != '\0')
		return false;
	return hex || s[0] != '0' || strtoull(s, &end, 8) == *n;
}

int
value_number(const json_t *v, uint64_t most, uint64_t *n, struct npu_err *err)
{
	uint64_t read;

	if (json_is_integer(v)) {
		json_int_t i = json_integer_value(v);

		if (i < 0 || (uint64_t)i > most)
			return npu_fail(err, NPU_EFORMAT, "%lld is not from 0 "
			    "to %" PRIu64, (long long)i, most);
		*n = (uint64_t)i;
		return 0;
	}
	if (!json_is_string(v))
		return npu_fail(err, NPU_EFORMAT, "not a whole number, nor a "
		    "text with one");
	if (!parse_number(json_string_value(v), &read) || read > most)
		return npu_fail(err, NPU_EFORMAT, "'%.80s' is not a whole "
		    "number from 0 to %" PRIu64 ", decimal or after 0x",
		    json_string_value(v), most);
	*n = read;
	return 0;
}

int
field_number_if(const json_t *o, const char *key, uint64_t most, uint64_t *n,
    struct npu_err *err)
{
	const json_t *v = json_object_get(o, key);
	int rc = v != NULL ? value_number(v, most, n, err) : 0;

	return rc < 0 ? npu_prefix(err, rc, "\"%s\"", key) : 0;
}

int
field_number(const json_t *o, const char *key, uint64_t most, uint64_t *n,
    struct npu_err *err)
{
	if (json_object_get(o, key) == NULL)
		return missing(err, key);
	return field_number_if(o, key, most, n, err);
}

/* ---- Names of numbers -------------------------------------------------- */

/* Parses "UNKNOWN (12)", which dumps have for a number without a name. */
static bool
parse_unknown(const char *s, uint64_t *n)
{
	static const char start[] = "UNKNOWN (";
	char *end;

	if (strncmp(s, start, sizeof(start) - 1) != 0 ||
	    !isdigit((unsigned char)s[sizeof(start) - 1]))
		return false;
	errno = 0;
	*n = strtoull(s + sizeof(start) - 1, &end, 10);
	return errno == 0 && strcmp(end, ")") == 0;
}

int
field_named_if(const json_t *o, const char *key, const struct axlf_names *of,
    uint64_t most, uint64_t *n, struct npu_err *err)
{
	const json_t *v = json_object_get(o, key);
	const char *s = json_string_value(v);
	struct buf all = { 0 };
	int number;

	if (v == NULL || (s != NULL && (number = axlf_number(of, s)) >= 0 &&
	    (*n = (uint64_t)number, true)))
		return 0;
	if ((s != NULL && parse_unknown(s, n) && *n <= most) ||
	    value_number(v, most, n, NULL) == 0)
		return 0;
	for (uint32_t i = 0; i < of->n; i++)
		buf_printf(&all, "%s%s", i > 0 ? ", " : "", of->name[i]);
	npu_fail(err, NPU_EFORMAT, "\"%s\": '%.80s' is neither one of the "
	    "names %.*s nor a number from 0 to %" PRIu64, key,
	    s != NULL ? s : "?", (int)all.n, all.p != NULL ? all.p : "", most);
	buf_free(&all);
	return NPU_EFORMAT;
}

int
field_named(const json_t *o, const char *key, const struct axlf_names *of,
    uint64_t most, uint64_t *n, struct npu_err *err)
{
	if (json_object_get(o, key) == NULL)
		return missing(err, key);
	return field_named_if(o, key, of, most, n, err);
}
