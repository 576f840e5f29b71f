// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/utf8.h"
#include "catalogue.h"
#include "cmd.h"
#include "relative.h"
#include "sum.h"

#define TABLE "share/npu-utils/models.tsv"

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" \
    "0123456789._+-"

/* ---- Fields ------------------------------------------------------------- */

/* Each of these stores a field and returns NULL, or returns the form that the
 * field must have. */

/* Returns the length of the word that s begins with; 0 if it is longer than
 * most, or could be taken for an option or a hidden file. */
static size_t
word_length(const char *s, size_t most)
{
	size_t n = strspn(s, WORD);

	return n <= most && *s != '.' && *s != '-' ? n : 0;
}

static const char *
set_name(struct model *m, const char *s)
{
	size_t n = word_length(s, 64);

	m->name = s;
	return n > 0 && s[n] == '\0' ? NULL : "a name of 1 to 64 letters, "
	    "digits and '._+-' that does not begin with '.' or '-'";
}

static const char *
set_hub(struct model *m, const char *s)
{
	static const char form[] = "modelscope:OWNER/NAME@REVISION or "
	    "huggingface:OWNER/NAME@REVISION";
	static const char ends[] = { ':', '/', '@', '\0' };
	size_t n;

	m->hub = s;
	if (strncmp(s, "modelscope:", 11) != 0 &&
	    strncmp(s, "huggingface:", 12) != 0)
		return form;
	for (size_t i = 0; i < sizeof(ends); i++, s += n + 1)
		if ((n = word_length(s, 128)) == 0 || s[n] != ends[i])
			return form;
	return NULL;
}

static const char *
set_path(struct model *m, const char *s)
{
	const char *slash;
	size_t n = strlen(s);

	m->path = s;
	m->is_folder = n > 1 && s[n - 1] == '/';
	if (relative_fault(s, n - m->is_folder) != NULL)
		return "a path without '..', '//', a '/' in front, a "
		    "backslash or a control character, of at most 1024 bytes";
	slash = memrchr(s, '/', n - m->is_folder);
	m->file = slash != NULL ? slash + 1 : s;
	return NULL;
}

static const char *
set_size(struct model *m, const char *s)
{
	int64_t size;

	if (s == NULL)
		return NULL;
	if (s[strspn(s, "0123456789")] != '\0' ||
	    num_int(s, 1, INT64_C(1) << 50, &size, NULL) < 0)
		return "a number of bytes, or '-'";
	m->size = (uint64_t)size;
	return NULL;
}

static const char *
set_sha256(struct model *m, const char *s)
{
	struct sum sum;

	m->sha256 = s;
	return s == NULL || (sum_parse(&sum, s, strlen(s)) &&
	    strcmp(sum.text, s) == 0) ? NULL :
	    "64 hexadecimal digits in lower case, or '-'";
}

/* A list of words, separated by ','. */
static const char *
list_form(const char *s)
{
	for (size_t n; s != NULL; s = s[n] == ',' ? s + n + 1 : NULL)
		if ((n = word_length(s, 64)) == 0 ||
		    (s[n] != ',' && s[n] != '\0'))
			return "words separated by ',', or '-'";
	return NULL;
}

static const char *
set_roles(struct model *m, const char *s)
{
	m->roles = s;
	return list_form(s);
}

static const char *
set_companions(struct model *m, const char *s)
{
	m->companions = s;
	return list_form(s);
}

#define SET_TEXT(member) \
	static const char * \
	set_##member(struct model *m, const char *s) \
	{ \
		m->member = s; \
		return NULL; \
	}
SET_TEXT(task)
SET_TEXT(release)
SET_TEXT(types)
SET_TEXT(licence)
SET_TEXT(remarks)

/* The columns of the table, in order. */
static const struct {
	const char *name;
	bool needed;		/* may not be '-' */
	const char *(*set)(struct model *m, const char *s);
} fields[] = {
	{ "name", true, set_name },
	{ "task", false, set_task },
	{ "hub", true, set_hub },
	{ "path", true, set_path },
	{ "size", false, set_size },
	{ "sha256", false, set_sha256 },
	{ "release", false, set_release },
	{ "types", false, set_types },
	{ "roles", false, set_roles },
	{ "companions", false, set_companions },
	{ "licence", false, set_licence },
	{ "remarks", false, set_remarks },
};

enum { FIELDS = sizeof(fields) / sizeof(*fields) };

/* ---- Lines -------------------------------------------------------------- */

static bool
is_printable(const char *s)
{
	uint32_t c;
	size_t n = strlen(s), len;

	for (; n > 0; s += len, n -= len)
		if ((len = utf8_decode(s, n, &c)) == 0 || utf8_is_control(c))
			return false;
	return true;
}

static int
bad_field(struct npu_err *err, size_t i, const char *value, const char *form)
{
	char shown[60];

	snprintf(shown, sizeof(shown), "%s", value);
	cmd_printable(shown, strlen(shown));
	return npu_fail(err, NPU_EFORMAT, "%s: '%s%s' is not %s",
	    fields[i].name, shown, strlen(value) >= sizeof(shown) ? "..." : "",
	    form);
}

static int
parse_field(struct model *m, size_t i, const char *s, struct npu_err *err)
{
	const char *form;
	bool unknown = strcmp(s, "-") == 0;

	if (!is_printable(s))
		return bad_field(err, i, s, "text in UTF-8 without control "
		    "characters");
	if (*s == '\0')
		return bad_field(err, i, s, "a value; '-' is unknown");
	if (unknown && fields[i].needed)
		return bad_field(err, i, s, "a value, which each model needs");
	form = fields[i].set(m, unknown ? NULL : s);
	return form != NULL ? bad_field(err, i, s, form) : 0;
}

/* Splits one line, which ends with NUL. */
static int
parse_line(struct model *m, char *line, struct npu_err *err)
{
	char *end, *next = line;
	int rc;

	for (size_t i = 0; i < FIELDS; i++) {
		if (next == NULL)
			return npu_fail(err, NPU_EFORMAT, "%zu fields, not %d; "
			    "'%s' is missing", i, FIELDS, fields[i].name);
		end = strchr(next, '\t');
		if (end != NULL)
			*end = '\0';
		if ((rc = parse_field(m, i, next, err)) < 0)
			return rc;
		next = end != NULL ? end + 1 : NULL;
	}
	if (next != NULL)
		return npu_fail(err, NPU_EFORMAT, "more than %d fields",
		    FIELDS);
	return 0;
}

static bool
is_known_name(const struct model_catalogue *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->model[i].name, name) == 0)
			return true;
	return false;
}

static int
add_line(struct model_catalogue *c, char *line, size_t n, struct npu_err *err)
{
	struct model m = { 0 };
	int rc;

	if (n > CATALOGUE_LONGEST)
		return npu_fail(err, NPU_EFORMAT, "%zu bytes, more than %d", n,
		    CATALOGUE_LONGEST);
	if (strlen(line) != n)
		return npu_fail(err, NPU_EFORMAT, "a byte 0, at %zu",
		    strlen(line));
	if (n == 0 || line[0] == '#')
		return 0;
	if (c->n == CATALOGUE_MOST)
		return npu_fail(err, NPU_EFORMAT, "more than %d models",
		    CATALOGUE_MOST);
	if ((rc = parse_line(&m, line, err)) < 0)
		return rc;
	if (is_known_name(c, m.name))
		return npu_fail(err, NPU_EFORMAT, "name: '%s' is the name of "
		    "an earlier line", m.name);
	c->model[c->n++] = m;
	return 0;
}

/* ---- The table ---------------------------------------------------------- */

static size_t
count_lines(struct bytes b)
{
	size_t n = 1;

	for (size_t i = 0; i < b.n; i++)
		n += b.p[i] == '\n';
	return n;
}

int
catalogue_parse(struct model_catalogue *c, struct bytes table,
    struct npu_err *err)
{
	size_t lines = count_lines(table), number = 1;
	char *line, *end, *last;
	int rc;

	*c = (struct model_catalogue){ 0 };
	if (table.n > CATALOGUE_LARGEST)
		return npu_fail(err, NPU_EFORMAT, "%zu bytes, more than %d",
		    table.n, CATALOGUE_LARGEST);
	c->text = cmd_alloc(table.n + 1);
	c->model = cmd_alloc((lines < CATALOGUE_MOST ? lines :
	    CATALOGUE_MOST) * sizeof(*c->model));
	if (table.n > 0)
		memcpy(c->text, table.p, table.n);
	last = c->text + table.n;
	for (line = c->text; line < last; line = end + 1, number++) {
		end = memchr(line, '\n', (size_t)(last - line));
		if (end == NULL)
			end = last;
		*end = '\0';
		rc = add_line(c, line, (size_t)(end - line), err);
		if (rc < 0)
			return npu_prefix(err, rc, "line %zu", number);
	}
	return 0;
}

void
catalogue_free(struct model_catalogue *c)
{
	free(c->model);
	free(c->text);
	*c = (struct model_catalogue){ 0 };
}

int
catalogue_try_open(struct model_catalogue *c, struct npu_err *err)
{
	char *path = cmd_data_path(TABLE);
	struct buf text = { 0 };
	int rc;

	*c = (struct model_catalogue){ 0 };
	if (path == NULL)
		return npu_fail(err, NPU_ESYSTEM, "%s: not found beside the "
		    "program nor below its PREFIX; install npu-utils again",
		    TABLE);
	rc = file_load(path, CATALOGUE_LARGEST, &text, err);
	if (rc == 0)
		rc = catalogue_parse(c, (struct bytes){ (void *)text.p,
		    text.n }, err);
	if (rc < 0)
		npu_prefix(err, rc, "%s", path);
	buf_free(&text);
	free(path);
	return rc;
}

void
catalogue_open(struct model_catalogue *c)
{
	struct npu_err err;

	if (catalogue_try_open(c, &err) < 0)
		cmd_die_err(NULL, &err);
}

const struct model *
catalogue_find(const struct model_catalogue *c, const char *name)
{
	const struct model *found = NULL;

	for (size_t i = 0; i < c->n; i++) {
		if (strcmp(c->model[i].name, name) == 0)
			return &c->model[i];
		if (found == NULL && !c->model[i].is_folder &&
		    strcmp(c->model[i].file, name) == 0)
			found = &c->model[i];
	}
	return found;
}

const struct model *
catalogue_find_path(const struct model_catalogue *c, const char *path)
{
	size_t n = strlen(path), k;

	for (size_t i = 0; i < c->n; i++) {
		k = strlen(c->model[i].path);
		if (n > k && path[n - k - 1] == '/' &&
		    strcmp(path + n - k, c->model[i].path) == 0)
			return &c->model[i];
	}
	return NULL;
}
