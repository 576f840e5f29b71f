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

/* Characters of Debian's names, versions and states (deb-version(7)). */
static bool
is_plain(uint8_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z') || memchr("+-.:~", c, 5) != NULL;
}

/* Moves the next word of *b to out, or "" if it is too long; returns false if
 * *b has no word. */
static bool
pop_word(struct bytes *b, char *out, size_t size)
{
	size_t n = 0, kept;

	scan_blanks(b);
	while (n < b->n && is_plain(b->p[n]))
		n++;
	kept = n < size ? n : 0;
	memcpy(out, b->p, kept);
	out[kept] = '\0';
	b->p += n;
	b->n -= n;
	return n > 0;
}

/* Does the same; returns false also if the word is too long. */
static bool
pop_fitting_word(struct bytes *b, char *out, size_t size)
{
	return pop_word(b, out, size) && *out != '\0';
}

static bool
at_end(struct bytes b)
{
	scan_blanks(&b);
	return b.n == 0;
}

/* If line begins with "field:", in upper or lower case, sets *value to the rest
 * and returns true. */
static bool
is_field(struct bytes line, const char *field, struct bytes *value)
{
	size_t n = strlen(field);

	return line.n > n && line.p[n] == ':' &&
	    strncasecmp((const char *)line.p, field, n) == 0 &&
	    bytes_sub(line, n + 1, line.n - n - 1, value);
}

/* The package being read. */
struct package_entry {
	struct host_package p;
	size_t bad;		/* the last line with a value that is invalid or
				   too long; 0: none */
};

/*
 * Reads one line of the list, number at.  A name that is too long cannot match
 * and is left empty; other invalid values matter only for packages that match.
 */
static int
parse_field(struct bytes line, size_t at, struct package_entry *e,
    struct npu_err *err)
{
	struct host_package *p = &e->p;
	struct bytes v;
	bool good = true;

	/* The continuation of a description, or of a list of files. */
	if (*line.p == ' ' || *line.p == '\t')
		return 0;
	if (is_field(line, "Package", &v)) {
		if (!pop_word(&v, p->name, sizeof(p->name)) || !at_end(v))
			return npu_fail(err, NPU_EFORMAT, "line %zu: not a "
			    "package's name", at);
	} else if (is_field(line, "Version", &v)) {
		good = pop_fitting_word(&v, p->version, sizeof(p->version)) &&
		    at_end(v);
	} else if (is_field(line, "Status", &v)) {
		good = pop_fitting_word(&v, p->want, sizeof(p->want)) &&
		    pop_fitting_word(&v, p->flag, sizeof(p->flag)) &&
		    pop_fitting_word(&v, p->state, sizeof(p->state)) &&
		    at_end(v);
	} else if (memchr(line.p, ':', line.n) == NULL) {
		return npu_fail(err, NPU_EFORMAT, "line %zu: not \"Field: "
		    "value\"", at);
	}
	if (!good)
		e->bad = at;
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

/* Adds the package that was read, if its name matches. */
static int
end_package(struct host_packages *all, const char *const *patterns,
    const struct package_entry *e, struct npu_err *err)
{
	if (e->p.name[0] == '\0' || !matches(e->p.name, patterns))
		return 0;
	if (e->bad > 0)
		return npu_fail(err, NPU_EFORMAT, "line %zu: a version or "
		    "state is not valid, or too long", e->bad);
	if (e->p.state[0] == '\0' || strcmp(e->p.state, "not-installed") == 0)
		return 0;
	if (all->n < HOST_PACKAGES)
		all->package[all->n++] = e->p;
	else
		all->left_out++;
	return 0;
}

int
host_parse_packages(struct bytes b, const char *const *patterns,
    struct host_packages *all, struct npu_err *err)
{
	struct package_entry e = { .bad = 0 };
	struct bytes line;
	int rc = 0;

	all->n = all->left_out = 0;
	for (size_t n = 1; rc == 0 && scan_line(&b, &line); n++) {
		if (at_end(line)) {
			rc = end_package(all, patterns, &e, err);
			e = (struct package_entry){ .bad = 0 };
		} else {
			rc = parse_field(line, n, &e, err);
		}
	}
	if (rc == 0)
		rc = end_package(all, patterns, &e, err);
	if (rc < 0)
		all->n = all->left_out = 0;
	return rc;
}

int
host_read_packages(const char *root, const char *const *patterns,
    struct host_packages *all, struct npu_err *err)
{
	char *text;
	int n, rc;

	all->n = all->left_out = 0;
	rc = n = host_load_file(root, STATUS, STATUS_SIZE, &text, err);
	if (n == STATUS_SIZE - 1)
		rc = npu_fail(err, NPU_EFORMAT, "%s%s: has more than %d bytes",
		    root, STATUS, STATUS_SIZE - 2);
	else if (n >= 0 && (rc = host_parse_packages((struct bytes){
	    (uint8_t *)text, (size_t)n }, patterns, all, err)) < 0)
		npu_prefix(err, rc, "%s%s", root, STATUS);
	free(text);
	return rc < 0 ? rc : 0;
}
