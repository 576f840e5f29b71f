// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "host/host.h"
#include "host/packages.h"
#include "host/scan.h"

#define STATUS "/var/lib/dpkg/status"

enum { STATUS_SIZE = 1 << 26 };

/* What Debian's names, versions and states are of (deb-version(7)). */
static bool
is_plain(uint8_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z') || memchr("+-.:~", c, 5) != NULL;
}

/* The next word of *b into out; false if it is none, or too long. */
static bool
take_word(struct bytes *b, char *out, size_t size)
{
	size_t n = 0;

	skip_blanks(b);
	while (n < b->n && is_plain(b->p[n]))
		n++;
	if (n == 0 || n >= size)
		return false;
	memcpy(out, b->p, n);
	out[n] = '\0';
	b->p += n;
	b->n -= n;
	return true;
}

static bool
at_end(struct bytes b)
{
	skip_blanks(&b);
	return b.n == 0;
}

/* The value behind "field:", which line begins with in any case. */
static bool
is_field(struct bytes line, const char *field, struct bytes *value)
{
	size_t n = strlen(field);

	return line.n > n && line.p[n] == ':' &&
	    strncasecmp((const char *)line.p, field, n) == 0 &&
	    bytes_sub(line, n + 1, line.n - n - 1, value);
}

static int
parse_field(struct bytes line, struct host_package *p, struct npu_err *err)
{
	struct bytes v;
	bool good = true;

	/* The rest of a description, or of a list of files. */
	if (*line.p == ' ' || *line.p == '\t')
		return 0;
	if (is_field(line, "Package", &v))
		good = take_word(&v, p->name, sizeof(p->name)) && at_end(v);
	else if (is_field(line, "Version", &v))
		good = take_word(&v, p->version, sizeof(p->version)) &&
		    at_end(v);
	else if (is_field(line, "Status", &v))
		good = take_word(&v, p->want, sizeof(p->want)) &&
		    take_word(&v, p->flag, sizeof(p->flag)) &&
		    take_word(&v, p->state, sizeof(p->state)) && at_end(v);
	else if (memchr(line.p, ':', line.n) == NULL)
		return npu_fail(err, NPU_EFORMAT, "is no \"Field: value\"");
	if (!good)
		return npu_fail(err, NPU_EFORMAT, "a name or version that is "
		    "none, or is longer than %d", HOST_PACKAGE - 1);
	return 0;
}

static bool
matches(const char *name, const char *const *patterns)
{
	for (; *patterns != NULL; patterns++)
		if (fnmatch(*patterns, name, 0) == 0)
			return true;
	return false;
}

/* p is whole. */
static void
end_package(struct host_packages *all, const char *const *patterns,
    struct host_package *p)
{
	if (p->name[0] != '\0' && p->state[0] != '\0' &&
	    strcmp(p->state, "not-installed") != 0 &&
	    matches(p->name, patterns)) {
		if (all->n < HOST_PACKAGES)
			all->package[all->n++] = *p;
		else
			all->left_out++;
	}
	*p = (struct host_package){ .name = "" };
}

int
host_parse_packages(struct bytes b, const char *const *patterns,
    struct host_packages *all, struct npu_err *err)
{
	struct host_package p = { .name = "" };
	struct bytes line;
	int rc;

	all->n = all->left_out = 0;
	for (size_t n = 1; next_line(&b, &line); n++) {
		if (at_end(line)) {
			end_package(all, patterns, &p);
		} else if ((rc = parse_field(line, &p, err)) < 0) {
			all->n = all->left_out = 0;
			return npu_prefix(err, rc, "line %zu", n);
		}
	}
	end_package(all, patterns, &p);
	return 0;
}

int
host_read_packages(const char *root, const char *const *patterns,
    struct host_packages *all, struct npu_err *err)
{
	char *text = malloc(STATUS_SIZE);
	int n, rc;

	all->n = all->left_out = 0;
	if (text == NULL)
		return npu_fail_detail(err, NPU_ESYSTEM, ENOMEM, "%s%s: %s",
		    root, STATUS, strerror(ENOMEM));
	rc = n = host_read_file(root, STATUS, text, STATUS_SIZE, err);
	if (n == STATUS_SIZE - 1)
		rc = npu_fail(err, NPU_EFORMAT, "%s%s: has more than %d bytes",
		    root, STATUS, STATUS_SIZE - 2);
	else if (n >= 0 && (rc = host_parse_packages((struct bytes){
	    (uint8_t *)text, (size_t)n }, patterns, all, err)) < 0)
		npu_prefix(err, rc, "%s%s", root, STATUS);
	free(text);
	return rc < 0 ? rc : 0;
}
