// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/err.h"
#include "json_field.h"
#include "kernel_xml.h"

/* ---- Attributes -------------------------------------------------------- */

/* Adds an escaped value.  If it consists of blanks, the first blank is written
 * as a character reference, because XML readers may drop the blanks
 * otherwise. */
static void
put_value(struct buf *xml, const char *s)
{
	static const char special[] = "&<>\"'";
	static const char *const instead[] = { "&amp;", "&lt;", "&gt;",
	    "&quot;", "&apos;" };
	size_t n;

	if (*s == ' ' && s[strspn(s, " ")] == '\0') {
		buf_puts(xml, "&#32;");
		s++;
	}
	for (; *s != '\0'; s += n + (s[n] != '\0')) {
		n = strcspn(s, special);
		buf_add(xml, s, n);
		if (s[n] != '\0')
			buf_puts(xml, instead[strchr(special, s[n]) -
			    special]);
	}
}

static void
put_attribute(struct buf *xml, const char *name, const char *value)
{
	buf_printf(xml, " %s=\"", name);
	put_value(xml, value);
	buf_puts(xml, "\"");
}

/* ---- <extended-data> --------------------------------------------------- */

/* Returns the names of the numbers that the attribute may have, or NULL. */
static const struct axlf_names *
names_of(const char *key)
{
	return strcmp(key, "functional") == 0 ? &axlf_functionals :
	    strcmp(key, "subtype") == 0 ? &axlf_subtypes : NULL;
}

static int
put_extended(struct buf *xml, const char *key, const json_t *v,
    struct npu_err *err)
{
	const struct axlf_names *names = names_of(key);
	struct buf text = { 0 };
	int rc = value_text(v, &text, err), number = -1;

	if (rc < 0)
		return rc;
	if (names != NULL)
		number = axlf_number(names, text.p);
	if (number >= 0)
		buf_printf(xml, " %s=\"%d\"", key, number);
	else
		put_attribute(xml, key, text.p);
	buf_free(&text);
	return 0;
}

/* Returns true if s is a valid name of an attribute; names cannot be
 * escaped. */
static bool
is_name(const char *s)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	static const char rest[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-.";

	return *s != '\0' && strchr(letters, *s) != NULL &&
	    s[strspn(s, rest)] == '\0';
}

static int
add_extended(struct buf *xml, const json_t *kernel, struct npu_err *err)
{
	const json_t *o;
	const char *key;
	json_t *v;
	int rc;

	if (json_object_get(kernel, "extended-data") == NULL)
		return 0;
	if ((rc = field_object(kernel, "extended-data", &o, err)) < 0 ||
	    json_object_size(o) == 0)
		return rc;
	buf_puts(xml, "          <extended-data");
	/* The macro takes a pointer without const, but does not change *o. */
	json_object_foreach((json_t *)(uintptr_t)o, key, v) {
		rc = is_name(key) ? put_extended(xml, key, v, err) :
		    npu_fail(err, NPU_EFORMAT, "not a name for an attribute");
		if (rc < 0)
			return npu_prefix(err, rc, "\"extended-data\": "
			    "\"%.80s\"", key);
	}
	if (json_object_get(o, "functional") == NULL)
		put_attribute(xml, "functional", "");
	if (json_object_get(o, "subtype") == NULL)
		put_attribute(xml, "subtype", "");
	buf_puts(xml, "/>\n");
	return 0;
}

/* ---- <arg> ------------------------------------------------------------- */

static const struct {
	const char *type;	/* without blanks */
	unsigned bytes;
} sizes[] = {
	{ "char", 1 }, { "int8_t", 1 }, { "uint8_t", 1 }, { "int16_t", 2 },
	{ "uint16_t", 2 }, { "float", 4 }, { "int32_t", 4 }, { "uint32_t", 4 },
	{ "int64_t", 8 }, { "uint64_t", 8 }, { "int", 8 },
};
enum { TYPE = 1000, POINTER = 8 };

static int
type_size(const char *type, unsigned *bytes, struct npu_err *err)
{
	char bare[TYPE + 1];
	size_t n = 0;

	for (const char *p = type; *p != '\0'; p++)
		if (*p != ' ')
			bare[n++] = *p;
	bare[n] = '\0';
	*bytes = n > 0 && bare[n - 1] == '*' ? POINTER : 0;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		if (strcmp(bare, sizes[i].type) == 0)
			*bytes = sizes[i].bytes;
	if (*bytes == 0)
		return npu_fail(err, NPU_EFORMAT, "\"type\": '%.80s' is not a "
		    "type of an argument: a pointer, char, float, int, or "
		    "[u]int8_t to [u]int64_t", type);
	return 0;
}

/* Adds the offset as it is in the document: xclbinutil does not check it. */
static int
put_offset(struct buf *xml, const json_t *o, struct npu_err *err)
{
	struct buf text = { 0 };
	int rc;

	if ((rc = value_text(json_object_get(o, "offset"), &text, err)) == 0 &&
	    *text.p == '\0')
		rc = npu_fail(err, NPU_EFORMAT, "empty");
	if (rc == 0)
		put_attribute(xml, "offset", text.p);
	buf_free(&text);
	return rc < 0 ? npu_prefix(err, rc, "\"offset\"") : 0;
}

static int
add_argument(struct buf *xml, const json_t *o, size_t id, struct npu_err *err)
{
	uint64_t qualifier, use_id = 1;
	const char *name, *type;
	unsigned bytes;
	int rc;

	if ((rc = field_text(o, "name", 1, SIZE_MAX, &name, err)) < 0 ||
	    (rc = field_named(o, "address-qualifier", &axlf_qualifiers, 4,
	    &qualifier, err)) < 0 ||
	    (rc = field_number_if(o, "use-id", 1, &use_id, err)) < 0 ||
	    (rc = field_text(o, "type", 1, TYPE, &type, err)) < 0 ||
	    (rc = type_size(type, &bytes, err)) < 0)
		return rc;
	buf_puts(xml, "          <arg");
	put_attribute(xml, "name", name);
	buf_printf(xml, " addressQualifier=\"%u\" id=\"", (unsigned)qualifier);
	if (use_id != 0)
		buf_printf(xml, "%zu", id);
	buf_printf(xml, "\" size=\"0x%x\"", bytes);
	if ((rc = put_offset(xml, o, err)) < 0)
		return rc;
	buf_printf(xml, " hostOffset=\"0x0\" hostSize=\"0x%x\"", bytes);
	put_attribute(xml, "type", type);
	buf_puts(xml, "/>\n");
	return 0;
}

/* ---- <instance>, <kernel> ---------------------------------------------- */

static int
add_instance(struct buf *xml, const json_t *o, size_t i, struct npu_err *err)
{
	const char *name;
	int rc;

	(void)i;
	if ((rc = field_text(o, "name", 1, SIZE_MAX, &name, err)) < 0)
		return rc;
	buf_puts(xml, "          <instance");
	put_attribute(xml, "name", name);
	buf_puts(xml, "/>\n");
	return 0;
}

static int
add_all(struct buf *xml, const json_t *kernel, const char *key,
    int (*add)(struct buf *xml, const json_t *o, size_t i,
    struct npu_err *err), struct npu_err *err)
{
	const json_t *list, *o;
	size_t i;
	int rc;

	if ((rc = field_list_if(kernel, key, &list, err)) < 0)
		return rc;
	json_array_foreach(list, i, o)
		if ((rc = add(xml, o, i, err)) < 0)
			return npu_prefix(err, rc, "%s %zu", key, i);
	return 0;
}

int
kernel_xml_add(struct buf *xml, const json_t *kernel, struct npu_err *err)
{
	size_t head;
	int rc;

	buf_puts(xml, "        <kernel");
	put_attribute(xml, "name", json_string_value(json_object_get(kernel,
	    "name")));
	buf_puts(xml, " language=\"c\" type=\"dpu\">\n");
	head = xml->n;
	if ((rc = add_extended(xml, kernel, err)) < 0 ||
	    (rc = add_all(xml, kernel, "arguments", add_argument, err)) < 0 ||
	    (rc = add_all(xml, kernel, "instances", add_instance, err)) < 0)
		return rc;
	if (xml->n > head) {
		buf_puts(xml, "        </kernel>\n");
	} else if (!xml->failed) {
		/* A kernel without contents is an empty element. */
		xml->n -= strlen(">\n");
		buf_puts(xml, "/>\n");
	}
	return 0;
}

void
kernel_xml_begin(struct buf *xml)
{
	buf_puts(xml, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
	    "<project>\n"
	    "  <platform>\n"
	    "    <device>\n"
	    "      <core>\n");
}

void
kernel_xml_end(struct buf *xml)
{
	buf_puts(xml, "      </core>\n"
	    "    </device>\n"
	    "  </platform>\n"
	    "</project>\n");
}
