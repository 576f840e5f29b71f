// SPDX-License-Identifier: Apache-2.0
/* lookup.c - finds the records of an index by path or name, and by content. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/err.h"
#include "store/index_impl.h"

/* Bytes to look for. */
struct wanted {
	const struct index *ix;
	const void *p;
	size_t n;
};

/* ---- Records ----------------------------------------------------------- */

/* Reads the names of a known record; the names are empty if the record was
 * damaged since. */
static void
read_names(const struct index *ix, uint64_t at, struct index_row *row)
{
	struct layout_head head;

	memcpy(&head, ix->map + at, sizeof(head));
	if (layout_size(ix->header.dim, &head) > ix->end - at)
		head = (struct layout_head){ 0 };
	layout_get_names(index_file(ix, ix->end), ix->header.dim, at, &head,
	    row);
}

/* Returns the bytes that identify a vector: its path, or else its name. */
static struct wanted
identity(const struct index *ix, const struct index_row *row)
{
	if (row->path != NULL)
		return (struct wanted){ ix, row->path, row->path_n };
	return (struct wanted){ ix, row->id, row->n };
}

static bool
same_identity(const void *arg, uint64_t at)
{
	const struct wanted *w = arg;
	struct index_row row;
	struct wanted is;

	read_names(w->ix, at, &row);
	is = identity(w->ix, &row);
	return is.n == w->n && memcmp(is.p, w->p, w->n) == 0;
}

static bool
same_content(const void *arg, uint64_t at)
{
	const struct wanted *w = arg;

	return memcmp(w->ix->map + at + offsetof(struct layout_head, sha256),
	    w->p, w->n) == 0;
}

static struct table_slot *
find(const struct wanted *w)
{
	const struct index_table *t = &w->ix->ids;

	return table_find(t, table_hash(t, w->p, w->n), same_identity, w);
}

/* Returns the offset of the record with row's path or name; 0: none. */
static uint64_t
place(const struct index *ix, const struct index_row *row)
{
	const struct wanted w = identity(ix, row);
	const struct table_slot *s = find(&w);

	return s != NULL ? s->at : 0;
}

/* Returns the last record with this content, which may have been replaced; 0:
 * none. */
static uint64_t
content_place(const struct index *ix, const uint8_t *sha256)
{
	const struct wanted w = { ix, sha256, INDEX_SHA256 };
	const struct table_slot *s = table_find(&ix->contents,
	    table_hash(&ix->contents, sha256, INDEX_SHA256), same_content, &w);

	return s != NULL ? s->at : 0;
}

/* Returns whether the record at at is undamaged. */
static bool
whole(const struct index *ix, uint64_t at)
{
	struct layout_head head;

	memcpy(&head, ix->map + at, sizeof(head));
	return layout_whole(index_file(ix, ix->end), ix->header.dim, at,
	    &head);
}

bool
index_has(const struct index *ix, const struct index_row *row)
{
	const struct wanted content = { ix, row->sha256, INDEX_SHA256 };
	const uint64_t at = place(ix, row);
	struct index_row there;

	if (at == 0 || !same_content(&content, at) || !whole(ix, at))
		return false;
	/* A record of version 1 must be written again with its path. */
	read_names(ix, at, &there);
	return row->path == NULL || there.path != NULL;
}

bool
index_known(const struct index *ix, const struct index_row *row)
{
	return place(ix, row) != 0;
}

bool
index_content(const struct index *ix, const uint8_t sha256[INDEX_SHA256],
    float *x)
{
	const uint64_t at = content_place(ix, sha256);

	if (at == 0 || !whole(ix, at))
		return false;
	memcpy(x, ix->map + at + LAYOUT_HEAD, ix->header.dim * sizeof(*x));
	return true;
}

uint64_t
index_count(const struct index *ix)
{
	return ix->ids.n;
}

/* ---- Files that were renamed ------------------------------------------- */

/* Writes n bytes as a file's name to path; returns false if they are not a
 * name. */
static bool
file_name(char path[PATH_MAX], const char *p, size_t n)
{
	if (n == 0 || n >= PATH_MAX || memchr(p, '\0', n) != NULL)
		return false;
	memcpy(path, p, n);
	path[n] = '\0';
	return true;
}

static bool
is_there(const struct index_row *row)
{
	char path[PATH_MAX];
	struct stat st;

	return file_name(path, row->path, row->path_n) && lstat(path, &st) == 0;
}

static bool
is_gone(const char *path)
{
	struct stat st;

	return lstat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR);
}

bool
index_row_gone(const struct index_row *row)
{
	char path[PATH_MAX];

	return row->path != NULL && file_name(path, row->path, row->path_n) &&
	    is_gone(path);
}

/* Returns whether name, from the working directory, is the file row->path. */
static bool
leads_to(const char *name, const struct index_row *row)
{
	char path[PATH_MAX];

	return realpath(name, path) != NULL && strlen(path) == row->path_n &&
	    memcmp(path, row->path, row->path_n) == 0;
}

/* Returns the record of a file with the same content that no longer exists; 0:
 * none. */
static uint64_t
renamed(const struct index *ix, const struct index_row *row)
{
	const uint64_t at = content_place(ix, row->sha256);
	struct index_row old;
	char path[PATH_MAX];

	if (at == 0)
		return 0;
	read_names(ix, at, &old);
	if (place(ix, &old) != at || !is_there(row))
		return 0;
	if (old.path == NULL)
		return file_name(path, old.id, old.n) && (is_gone(path) ||
		    leads_to(path, row)) ? at : 0;
	return index_row_gone(&old) ? at : 0;
}

/* Returns the record with row's name and without a path, as in version 1, if it
 * has the same content or is the same file; 0: none. */
static uint64_t
named(const struct index *ix, const struct index_row *row)
{
	const struct wanted content = { ix, row->sha256, INDEX_SHA256 };
	const struct index_row name = { .id = row->id, .n = row->n };
	const uint64_t at = place(ix, &name);
	struct index_row old;
	char path[PATH_MAX];

	if (at == 0)
		return 0;
	read_names(ix, at, &old);
	return old.path == NULL && (same_content(&content, at) ||
	    (file_name(path, row->id, row->n) && leads_to(path, row))) ?
	    at : 0;
}

uint64_t
index_older(const struct index *ix, const struct index_row *row)
{
	uint64_t at = place(ix, row);

	if (at == 0 && row->path != NULL)
		at = named(ix, row);
	if (at == 0 && row->path != NULL)
		at = renamed(ix, row);
	return at;
}

/* ---- Adding ------------------------------------------------------------ */

static void
put(struct index_table *t, struct table_slot *s, uint64_t hash, uint64_t at)
{
	t->n += s->at == 0;
	*s = (struct table_slot){ hash, at };
}

/* Forgets a record that was replaced under another path or name.  at was read
 * from the file, so there may be no record. */
static void
forget(struct index *ix, uint64_t at)
{
	struct layout_head head;
	struct index_row row;
	struct table_slot *s;
	struct wanted w;

	if (!layout_is_head(index_file(ix, ix->end), at, &head) ||
	    layout_size(ix->header.dim, &head) > ix->end - at)
		return;
	read_names(ix, at, &row);
	w = identity(ix, &row);
	s = find(&w);
	if (s != NULL && s->at == at)
		table_remove(&ix->ids, s);
}

int
index_note_record(struct index *ix, struct npu_err *err)
{
	const uint64_t at = ix->end;
	struct layout_head head;
	struct wanted id, content = { ix, head.sha256, INDEX_SHA256 };
	struct index_row row;
	uint64_t hash;

	if (!table_room(&ix->ids) || !table_room(&ix->contents))
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	memcpy(&head, ix->map + at, sizeof(head));
	ix->end += layout_size(ix->header.dim, &head);
	read_names(ix, at, &row);
	id = identity(ix, &row);
	hash = table_hash(&ix->ids, id.p, id.n);
	put(&ix->ids, find(&id), hash, at);
	hash = table_hash(&ix->contents, head.sha256, INDEX_SHA256);
	put(&ix->contents, table_find(&ix->contents, hash, same_content,
	    &content), hash, at);
	if (layout_replaces(&head) != 0)
		forget(ix, layout_replaces(&head));
	return 0;
}
