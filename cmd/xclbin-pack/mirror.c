// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/json.h"
#include "mirror.h"
#include "ptree.h"
#include "xclbin/dump.h"

/* ---- Members ----------------------------------------------------------- */

static void put_text(struct json *j, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
put_text(struct json *j, const char *key, const char *fmt, ...)
{
	char value[80];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(value, sizeof(value), fmt, ap);
	va_end(ap);
	json_key(j, key);
	json_str(j, value);
}

/* Adds bytes of the header in hexadecimal, in file order. */
static void
put_hex(struct json *j, const char *key, const struct draft *c, size_t at,
    size_t n)
{
	char digits[2 * 256 + 1] = "";

	for (size_t i = 0; i < n; i++)
		snprintf(digits + 2 * i, 3, "%02x", c->header[at + i]);
	json_key(j, key);
	json_str(j, digits);
}

/* Adds a text of at most n bytes from the header. */
static void
put_header_text(struct json *j, const char *key, const struct draft *c,
    size_t at, size_t n)
{
	const char *s = (const char *)c->header + at;

	json_key(j, key);
	json_strn(j, s, strnlen(s, n));
}

static void
put_time(struct json *j, const char *key, const struct draft *c,
    size_t at)
{
	uint64_t v;

	draft_get(c, at, &v, sizeof(v));
	put_text(j, key, "%" PRIu64, v);
}

/* Adds bytes that are already JSON. */
static void
put_raw(struct json *j, const struct buf *b)
{
	buf_add(&j->out, b->p, b->n);
	j->out.failed |= b->failed;
	j->after_key = false;
	j->comma = true;
}

/* ---- The header -------------------------------------------------------- */

/* Adds the version.  Like xclbinutil 2.25.0, which has this bug, it writes
 * major and minor as the characters with these codes. */
static void
put_version(struct json *j, const struct draft *c)
{
	char s[16] = { (char)c->header[AXLF_AT_MAJOR], '.',
	    (char)c->header[AXLF_AT_MINOR], '.' };
	uint16_t patch;
	int n;

	draft_get(c, AXLF_AT_PATCH, &patch, sizeof(patch));
	n = snprintf(s + 4, sizeof(s) - 4, "%u", patch);
	json_key(j, "Version");
	json_strn(j, s, 4 + (size_t)n);
}

static void
put_header(struct json *j, const struct draft *c)
{
	uint16_t mode;

	draft_get(c, AXLF_AT_MODE, &mode, sizeof(mode));
	json_key(j, "header");
	json_object(j);
	put_header_text(j, "Magic", c, 0, 8);
	put_hex(j, "SignatureLength", c, AXLF_AT_SIGNATURE, 4);
	put_hex(j, "KeyBlock", c, AXLF_AT_KEYS, 256);
	put_hex(j, "UniqueID", c, AXLF_AT_UNIQUE, 8);
	put_time(j, "TimeStamp", c, AXLF_AT_TIME);
	put_time(j, "FeatureRomTimeStamp", c, AXLF_AT_ROM_TIME);
	put_version(j, c);
	put_text(j, "Mode", "%u", mode);
	put_hex(j, "InterfaceUUID", c, AXLF_AT_INTERFACE, 16);
	put_header_text(j, "PlatformVBNV", c, AXLF_AT_PLATFORM, 64);
	put_hex(j, "XclBinUUID", c, AXLF_AT_UUID, 16);
	put_header_text(j, "DebugBin", c, AXLF_AT_DEBUG, 16);
	json_end_object(j);
}

/* ---- Sections ---------------------------------------------------------- */

/* Adds {NODE: ...} for a section whose bytes are JSON.  False if they are not
 * JSON or lack the member. */
static bool
put_json_payload(struct json *j, const char *node, const char *member,
    struct bytes data)
{
	struct buf b = { 0 };
	bool is_json = ptree_rewrite(&b, data, member);

	json_object(j);
	json_key(j, node);
	put_raw(j, &b);
	json_end_object(j);
	buf_free(&b);
	return is_json;
}

/* Adds the contents of the section.  False if its kind has no JSON form in the
 * mirror, or if it is damaged. */
static bool
put_payload(struct json *j, const struct draft_section *s)
{
	const struct axlf_section a = { .kind = s->kind, .whole = true,
	    .size = s->data.n, .data = section_bytes(s) };

	switch (s->kind) {
	case AXLF_KEYVALUE_METADATA:
		return put_json_payload(j, "keyvalue_metadata", NULL, a.data);
	case AXLF_BUILD_METADATA:
		return put_json_payload(j, "build_metadata", "build_metadata",
		    a.data);
	case AXLF_AIE_PARTITION:
		return false;
	default:
		return xclbin_can_dump(s->kind) &&
		    xclbin_dump(j, &a, NULL) == 0;
	}
}

static void
put_section(struct json *j, const struct draft_section *s, uint64_t at)
{
	struct json of = { .quote = ptree_quote };

	json_key(j, "section_header");
	json_object(j);
	put_text(j, "Kind", "%" PRIu32, s->kind);
	put_text(j, "Name", "%s", s->name);
	put_text(j, "Offset", "0x%" PRIx64, at);
	put_text(j, "Size", "0x%zx", s->data.n);
	if (put_payload(&of, s)) {
		json_key(j, "payload");
		put_raw(j, &of.out);
	}
	j->out.failed |= of.out.failed;
	json_free(&of);
	json_end_object(j);
}

void
mirror_write(const struct draft *c, struct buf *out)
{
	struct json j = { .quote = ptree_quote };
	uint64_t end = 0;

	json_object(&j);
	json_key(&j, "schema_version");
	json_object(&j);
	put_text(&j, "major", "1");
	put_text(&j, "minor", "0");
	put_text(&j, "patch", "0");
	json_end_object(&j);
	put_header(&j, c);
	for (size_t i = 0; i < c->n; i++)
		put_section(&j, &c->section[i],
		    draft_place(c, &c->section[i], &end));
	json_end_object(&j);
	buf_add(out, j.out.p, j.out.n);
	out->failed |= j.out.failed;
	json_free(&j);
}
