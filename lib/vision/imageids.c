// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/encoding.h"
#include "base/err.h"
#include "vision/imageids.h"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct imageid *)a)->name,
	    ((const struct imageid *)b)->name);
}

/* Parses "139 000000000139.jpg".  Returns false if it is malformed. */
static bool
parse_line(struct imageids *ids, char *line)
{
	struct imageid *e = &ids->entry[ids->n];
	size_t n = strlen(line);
	char *name;

	if (n > 0 && line[n - 1] == '\r')
		line[--n] = '\0';
	if (n == 0)
		return true;
	e->id = strtoull(line, &name, 10);	/* at most ULLONG_MAX */
	if (!is_digit(*line) || e->id > INT64_MAX ||
	    (*name != ' ' && *name != '\t') ||
	    name[strspn(name, " \t")] == '\0')
		return false;
	e->name = name + strspn(name, " \t");
	ids->n++;
	return true;
}

static int
parse_lines(struct imageids *ids, struct npu_err *err)
{
	char *rest = ids->text, *line;

	for (size_t number = 1; (line = strsep(&rest, "\n")) != NULL;
	    number++)
		if (!parse_line(ids, line))
			return npu_fail(err, NPU_EFORMAT, "line %zu is not a "
			    "number and a file name", number);
	qsort(ids->entry, ids->n, sizeof(*ids->entry), by_name);
	for (size_t i = 1; i < ids->n; i++)
		if (by_name(&ids->entry[i - 1], &ids->entry[i]) == 0)
			return npu_fail(err, NPU_EFORMAT, "'%s' is there "
			    "twice", ids->entry[i].name);
	return 0;
}

int
imageids_read(struct imageids *ids, struct bytes text, struct npu_err *err)
{
	size_t lines = 1;
	int rc;

	*ids = (struct imageids){ 0 };
	if ((rc = encoding_begin(&text, true, err)) < 0)
		return rc;
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\0')
			return npu_fail(err, NPU_EFORMAT, "has a NUL byte at "
			    "%zu; it is not a list of ids and file names", i);
		lines += text.p[i] == '\n';
	}
	ids->text = strndup(text.n > 0 ? (const char *)text.p : "", text.n);
	ids->entry = calloc(lines, sizeof(*ids->entry));
	if (ids->text == NULL || ids->entry == NULL)
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
	else
		rc = parse_lines(ids, err);
	if (rc < 0)
		imageids_free(ids);
	return rc;
}

void
imageids_free(struct imageids *ids)
{
	free(ids->entry);
	free(ids->text);
	*ids = (struct imageids){ 0 };
}

/* Returns the name without its folders. */
static const char *
base(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash != NULL ? slash + 1 : file;
}

static bool
look_up(const struct imageids *ids, const char *name, uint64_t *id)
{
	const struct imageid key = { .name = name }, *e;

	if (ids->n == 0)
		return false;
	e = bsearch(&key, ids->entry, ids->n, sizeof(*e), by_name);
	if (e != NULL)
		*id = e->id;
	return e != NULL;
}

bool
imageids_find(const struct imageids *ids, const char *file, uint64_t *id)
{
	return look_up(ids, file, id) || look_up(ids, base(file), id);
}

/* Returns the number of bytes before the last dot. */
static size_t
stem(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL && dot != name ? (size_t)(dot - name) :
	    strlen(name);
}

bool
imageids_in_name(const char *file, uint64_t *id)
{
	const char *name = base(file);
	size_t end = stem(name), from;

	while (end > 0 && !is_digit(name[end - 1]))
		end--;
	for (from = end; from > 0 && is_digit(name[from - 1]); from--)
		;
	if (from == end)
		return false;
	*id = strtoull(name + from, NULL, 10);
	return *id <= INT64_MAX;
}
