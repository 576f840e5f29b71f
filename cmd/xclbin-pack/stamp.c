// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "cmd.h"
#include "sha256.h"
#include "stamp.h"

/* The version of xclbinutil whose files are the same as ours, byte for byte. */
enum { MAJOR = 2, MINOR = 25, PATCH = 0 };

/* ---- Options ----------------------------------------------------------- */

/* Returns the number before the next '.' or the end, and advances *rest; -1 if
 * it is not from 0 to most. */
static int64_t
parse_part(char **rest, int64_t most)
{
	char *one = strsep(rest, ".");
	int64_t v;

	if (one == NULL || !isdigit((unsigned char)*one) ||
	    num_int(one, 0, most, &v, NULL) < 0)
		return -1;
	return v;
}

void
stamp_parse_version(struct stamp *s, const char *arg)
{
	char *copy = cmd_copy(arg), *rest = copy;
	int64_t major = parse_part(&rest, UINT8_MAX);
	int64_t minor = parse_part(&rest, UINT8_MAX);
	int64_t patch = parse_part(&rest, UINT16_MAX);

	if (major < 0 || minor < 0 || patch < 0 || rest != NULL)
		cmd_usage("--stamp-version: '%s' is not X.Y.Z, such as 2.25.0; "
		    "X and Y are at most %d, Z is at most %d", arg, UINT8_MAX,
		    UINT16_MAX);
	s->major = (uint8_t)major;
	s->minor = (uint8_t)minor;
	s->patch = (uint16_t)patch;
	s->has_version = true;
	free(copy);
}

static unsigned
digit(char c)
{
	c = (char)tolower((unsigned char)c);
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

void
stamp_parse_uuid(struct stamp *s, const char *option, const char *digits)
{
	char hex[33];
	size_t n = 0;

	for (const char *p = digits; *p != '\0'; p++) {
		if (*p == '-')
			continue;
		if (n == 32 || !isxdigit((unsigned char)*p))
			n = 33;
		if (n == 33)
			break;
		hex[n++] = *p;
	}
	if (n != 32)
		cmd_usage("%s: XclbinUUID '%s' is not 32 hexadecimal digits; "
		    "dashes between them do not count", option, digits);
	for (size_t i = 0; i < 16; i++)
		s->uuid[i] = (uint8_t)(digit(hex[2 * i]) << 4 |
		    digit(hex[2 * i + 1]));
	s->has_uuid = true;
}

void
stamp_environment(struct stamp *s)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");

	if (s->has_time || epoch == NULL || *epoch == '\0')
		return;
	s->time = (uint64_t)cmd_int("SOURCE_DATE_EPOCH", epoch, 0, INT64_MAX);
	s->has_time = true;
}

/* ---- The header -------------------------------------------------------- */

static void
set_time(struct draft *c, uint64_t time)
{
	draft_set(c, AXLF_AT_UNIQUE, &time, sizeof(time));
	draft_set(c, AXLF_AT_TIME, &time, sizeof(time));
}

static void
set_version(struct draft *c, uint8_t major, uint8_t minor, uint16_t patch)
{
	draft_set(c, AXLF_AT_PATCH, &patch, sizeof(patch));
	draft_set(c, AXLF_AT_MAJOR, &major, sizeof(major));
	draft_set(c, AXLF_AT_MINOR, &minor, sizeof(minor));
}

/* Sets uuid to the first 16 bytes of the SHA-256 over kind, size and bytes of
 * all sections. */
static void
hash_sections(const struct draft *c, uint8_t uuid[16])
{
	uint8_t sha256[32];
	struct buf b = { 0 };

	for (size_t i = 0; i < c->n; i++) {
		const struct draft_section *s = &c->section[i];
		uint64_t size = s->data.n;

		buf_add(&b, &s->kind, sizeof(s->kind));
		buf_add(&b, &size, sizeof(size));
		buf_add(&b, s->data.p, s->data.n);
	}
	cmd_check_buf(&b);
	sha256_digest(b.p != NULL ? b.p : "", b.n, sha256);
	memcpy(uuid, sha256, 16);
	buf_free(&b);
}

void
stamp_header(const struct stamp *s, bool fresh, const struct inputs *in,
    struct draft *c)
{
	uint8_t uuid[16];

	if (s->has_time)
		set_time(c, s->time);
	else if (fresh)
		set_time(c, in->newest);
	if (s->has_version)
		set_version(c, s->major, s->minor, s->patch);
	else if (fresh)
		set_version(c, MAJOR, MINOR, PATCH);
	if (s->has_uuid) {
		draft_set(c, AXLF_AT_UUID, s->uuid, 16);
	} else if (!s->keep_uuid) {
		hash_sections(c, uuid);
		draft_set(c, AXLF_AT_UUID, uuid, sizeof(uuid));
	}
}
