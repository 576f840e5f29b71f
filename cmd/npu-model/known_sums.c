// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "cmd.h"
#include "content.h"
#include "folder.h"
#include "known_sums.h"
#include "record.h"

enum {
	LEVELS = 8,		/* folders above a file that may have its
				   record */
	SMALL = 4096,		/* bytes of FILE.sha256 and of a pointer */
	CACHED = 4 * LEVELS,	/* records that are kept */
};

static void
add(struct known_sums *k, const struct sum *sum, uint64_t size, char *where)
{
	k->sum[k->n++] = (struct known_sum){ *sum, size, where };
}

void
known_sums_free(struct known_sums *k)
{
	while (k->n > 0)
		free(k->sum[--k->n].where);
}

/* ---- The record -------------------------------------------------------- */

/* Records that were read: many files have the same one.  The record that was
 * not used for the longest time makes room for another. */
static struct cached {
	char *folder;		/* owned; NULL: no record */
	struct stat st;		/* of the record's file when it was read */
	struct record record;	/* in the order of its files */
	uint64_t used;
} cache[CACHED];

static int
by_file(const void *a, const void *b)
{
	const struct record_entry *x = a, *y = b;

	return strcmp(x->file, y->file);
}

static void
read_record(struct cached *c, const char *folder, const struct stat *st)
{
	struct npu_err err;

	free(c->folder);
	record_free(&c->record);
	c->folder = cmd_copy(folder);
	c->st = *st;
	if (record_read(&c->record, folder, &err) < 0)
		cmd_warn("%s", err.msg);
	if (c->record.n > 0)
		qsort(c->record.entry, c->record.n, sizeof(*c->record.entry),
		    by_file);
}

static bool
is_unchanged(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	    a->st_size == b->st_size &&
	    a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	    a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Returns the record of the folder, which is read again if it changed; NULL
 * without a record. */
static const struct record *
find_record(const char *folder)
{
	static uint64_t uses;
	char *path = folder_join(folder, RECORD_NAME);
	struct cached *c = &cache[0];
	struct stat st = { 0 };
	bool none = stat(path, &st) < 0 && errno == ENOENT;

	free(path);
	if (none)
		return NULL;
	for (int i = 0; i < CACHED; i++) {
		if (cache[i].used < c->used)
			c = &cache[i];
		if (cache[i].folder != NULL &&
		    strcmp(cache[i].folder, folder) == 0) {
			c = &cache[i];
			break;
		}
	}
	if (c->folder == NULL || strcmp(c->folder, folder) != 0 ||
	    !is_unchanged(&c->st, &st))
		read_record(c, folder, &st);
	c->used = ++uses;
	return &c->record;
}

/* Looks into the record of folder for the file called name. */
static bool
in_record(struct known_sums *k, const char *folder, const char *name)
{
	const struct record_entry key = { .file = (char *)name }, *e = NULL;
	const struct record *r = find_record(folder);

	if (r != NULL && r->n > 0)
		e = bsearch(&key, r->entry, r->n, sizeof(*e), by_file);
	if (e != NULL)
		add(k, &e->sum, e->size, folder_join(folder, RECORD_NAME));
	return e != NULL;
}

/* Looks into the record of the file's folder, then of those above: get writes
 * the files of a folder below the folder that has the record. */
static void
find_in_records(struct known_sums *k, const char *path)
{
	char *folder = cmd_copy(path), *slash = strrchr(folder, '/');

	if (slash == NULL)
		in_record(k, ".", path);
	for (int i = 0; slash != NULL && slash > folder && i < LEVELS; i++) {
		*slash = '\0';
		if (in_record(k, folder, path + (slash - folder) + 1))
			break;
		slash = strrchr(folder, '/');
	}
	free(folder);
}

/* ---- Files beside the file --------------------------------------------- */

/* Reads the file path + end.  Returns false if it cannot be read, or is
 * large. */
static bool
read_beside(const char *path, const char *end, char **name, struct buf *text)
{
	*name = cmd_text("%s%s", path, end);
	if (access(*name, R_OK) == 0 &&
	    file_load(*name, SMALL, text, NULL) == 0)
		return true;
	free(*name);
	return false;
}

/* A line of sha256sum(1), "SUM  NAME", or the sum alone.  A backslash before
 * the sum says that characters of the name are escaped. */
static void
find_in_sum_file(struct known_sums *k, const char *path)
{
	struct buf text = { 0 };
	struct sum sum;
	char *name;
	size_t from, n;

	if (!read_beside(path, ".sha256", &name, &text))
		return;
	n = from = text.n > 0 && text.p[0] == '\\';
	while (n < text.n && strchr(" \t\r\n", text.p[n]) == NULL)
		n++;
	if (n > from && sum_parse(&sum, text.p + from, n - from)) {
		add(k, &sum, 0, name);
	} else {
		cmd_warn("%s: does not begin with a sha256 of 64 digits, as "
		    "sha256sum(1) writes it; not used", name);
		free(name);
	}
	buf_free(&text);
}

static void
find_in_pointer(struct known_sums *k, const char *path)
{
	struct buf text = { 0 };
	struct sum sum;
	uint64_t size;
	char *name;

	if (!read_beside(path, ".pointer", &name, &text))
		return;
	if (content_pointer((struct bytes){ (void *)text.p, text.n }, &sum,
	    &size)) {
		add(k, &sum, size, name);
	} else {
		cmd_warn("%s: not a Git LFS pointer; not used", name);
		free(name);
	}
	buf_free(&text);
}

/* ---- The table --------------------------------------------------------- */

static void
find_in_table(struct known_sums *k, const struct model_catalogue *all,
    const char *path)
{
	const char *slash = strrchr(path, '/');
	const struct model *m = catalogue_find(all,
	    slash != NULL ? slash + 1 : path);
	struct sum sum;

	if (m == NULL || m->sha256 == NULL || m->is_folder)
		return;
	if (sum_parse(&sum, m->sha256, strlen(m->sha256)))
		add(k, &sum, m->size, cmd_text("the table, as %s", m->name));
}

void
known_sums_find(struct known_sums *k, const struct model_catalogue *all,
    const char *path)
{
	*k = (struct known_sums){ .n = 0 };
	find_in_records(k, path);
	find_in_sum_file(k, path);
	find_in_pointer(k, path);
	find_in_table(k, all, path);
}
