// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
#include "folder.h"
#include "known_sums.h"
#include "plan.h"
#include "relative.h"

enum { LISTING_PARTS = 1000 };	/* answers that make up one listing */

void
plan_free(struct plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		fetch_free(&p->file[i]);
	free(p->file);
	p->file = NULL;
	p->n = 0;
}

/* Returns the folder of a mirror on this machine, or NULL. */
static const char *
local_mirror(const struct plan *p)
{
	if (p->mirror == NULL)
		return NULL;
	if (strncmp(p->mirror, "file:///", 8) == 0)
		return p->mirror + 7;
	return strstr(p->mirror, "://") == NULL ? p->mirror : NULL;
}

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Adds a file; takes over url and file. */
static struct fetch *
add(struct plan *p, char *url, char *file)
{
	struct fetch *f;

	/* The array doubles its room at each power of two. */
	if ((p->n & (p->n - 1)) == 0)
		p->file = cmd_realloc(p->file, 2 * (p->n + 1) *
		    sizeof(*p->file));
	f = &p->file[p->n++];
	memset(f, 0, sizeof(*f));
	f->url = url;
	f->shown = transfer_public(url);
	f->file = file;
	f->path = folder_join(p->folder, file);
	f->sum = p->sum;
	f->known_by = "--sha256";
	return f;
}

/* Sets the size and the sum, unless --sha256 gave a sum. */
static void
know(struct fetch *f, const uint64_t *size, const char *sum,
    const char *known_by)
{
	if (size != NULL) {
		f->has_size = true;
		f->size = *size;
	}
	if (sum == NULL || *sum == '\0' || f->sum.text[0] != '\0') {
		if (f->sum.text[0] == '\0')
			f->known_by = known_by;
		return;
	}
	sum_parse(&f->sum, sum, strlen(sum));
	f->known_by = known_by;
}

static void
know_model(struct fetch *f, const struct model *m)
{
	if (m != NULL && !m->is_folder)
		know(f, m->size > 0 ? &m->size : NULL, m->sha256,
		    "the table of models");
}

/* Returns the path below our folder of a file of the source. */
static char *
name_here(const struct model_source *s, const char *path)
{
	if (!s->is_folder)
		return cmd_copy(last_part(path));
	return cmd_text("%s%s", last_part(s->path), path + strlen(s->path));
}

/* ---- Listings ------------------------------------------------------------ */

char *
plan_listing(const struct plan *p, const struct model_source *s)
{
	bool known = p->sum.text[0] != '\0' ||
	    (s->model != NULL && s->model->sha256 != NULL);
	char *url, *shown;

	if (s->is_url || local_mirror(p) != NULL || (known && !s->is_folder))
		return NULL;
	/* Hugging Face gives the sum together with the file. */
	if (s->hub == HUB_HUGGINGFACE && !s->is_folder)
		return NULL;
	url = source_listing(s, p->mirror);
	shown = transfer_public(url);
	free(url);
	return shown;
}

/* Checks that the next part of a listing is at the same hub. */
static int
check_next(const char *next, const char *first, struct npu_err *err)
{
	const char *host = strstr(first, "://");
	size_t n = host != NULL ? strcspn(host + 3, "/") +
	    (size_t)(host + 3 - first) + 1 : 0;

	return strncmp(next, first, n) == 0 ? 0 : npu_fail(err, NPU_EFORMAT,
	    "the listing goes on at another host, %.100s", next);
}

static int
fetch_listing(const struct plan *p, const struct model_source *s,
    struct listing *l, struct npu_err *err)
{
	struct response r = { .next = "" };
	char *first = source_listing(s, p->mirror), *url = cmd_copy(first);
	struct buf b = { 0 };
	int rc = 0;

	for (int i = 0; rc == 0 && url != NULL; i++) {
		rc = i == LISTING_PARTS ? npu_fail(err, NPU_EFORMAT, "the "
		    "listing has more than %d parts", LISTING_PARTS) :
		    transfer_text(url, p->transfer, LISTING_LARGEST, &b,
		    r.next, err);
		if (rc == 0)
			rc = listing_parse(l, s->hub, (struct bytes){
			    (void *)b.p, b.n }, err);
		buf_clear(&b);
		free(url);
		url = NULL;
		if (rc == 0 && r.next[0] != '\0' &&
		    (rc = check_next(r.next, first, err)) == 0)
			url = cmd_copy(r.next);
	}
	free(url);
	free(first);
	buf_free(&b);
	return rc;
}

/* True if the path is in the folder. */
static bool
is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return strncmp(path, folder, n) == 0 && path[n] == '/';
}

static void
add_listed(struct plan *p, const struct model_source *s, const struct listed *l)
{
	struct fetch *f = add(p, source_file(s, l->path, p->mirror),
	    name_here(s, l->path));

	know_model(f, s->model);
	know(f, &l->size, l->sum.text, "the listing");
}

static int
add_from_listing(struct plan *p, const struct model_source *s,
    const struct listing *l, struct npu_err *err)
{
	const size_t before = p->n;
	const struct listed *one;

	if (!s->is_folder) {
		if ((one = listing_find(l, s->path)) != NULL)
			add_listed(p, s, one);
	} else {
		for (size_t i = 0; i < l->n; i++)
			if (is_below(l->file[i].path, s->path))
				add_listed(p, s, &l->file[i]);
	}
	return p->n > before ? 0 : npu_fail(err, NPU_ESYSTEM, "the hub %s does "
	    "not list %s%.100s%s", s->repository, s->is_folder ?
	    "any file in " : "", s->path, s->is_folder ? "/" : "");
}

/* ---- Mirrors on this machine --------------------------------------------- */

/* Adds a file of the mirror, with the sum that is known of it there. */
static void
add_local(struct plan *p, const char *at, char *file)
{
	struct fetch *f = add(p, cmd_text("file://%s", at), file);
	struct known_sums known;

	known_sums_find(&known, p->catalogue, at);
	if (known.n > 0)
		know(f, known.sum[0].size > 0 ? &known.sum[0].size : NULL,
		    known.sum[0].sum.text, "the mirror");
	known_sums_free(&known);
}

static int
add_local_file(struct plan *p, const struct model_source *s, const char *root,
    struct npu_err *err)
{
	char *at = folder_join(root, s->path);

	/* A folder that get filled has no folders of the hub. */
	if (access(at, F_OK) < 0) {
		free(at);
		at = folder_join(root, last_part(s->path));
	}
	if (access(at, F_OK) < 0) {
		free(at);
		return npu_fail(err, NPU_ESYSTEM, "the mirror %.80s has "
		    "neither %.80s nor a file of that name", root, s->path);
	}
	add_local(p, at, name_here(s, s->path));
	free(at);
	return 0;
}

static int
by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int
add_local_folder(struct plan *p, const struct model_source *s, const char *root,
    struct npu_err *err)
{
	char *top = folder_join(root, s->path);
	char *paths[] = { top, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	const size_t before = p->n;
	const FTSENT *e;
	const char *rest;

	while (tree != NULL && (e = fts_read(tree)) != NULL) {
		rest = e->fts_path + strlen(top);
		if (e->fts_info == FTS_F && e->fts_name[0] != '.' &&
		    relative_fault(rest + 1, strlen(rest + 1)) == NULL)
			add_local(p, e->fts_path, cmd_text("%s%s",
			    last_part(s->path), rest));
	}
	if (tree != NULL)
		fts_close(tree);
	free(top);
	return p->n > before ? 0 : npu_fail(err, NPU_ESYSTEM, "the mirror "
	    "%.80s has no files in %.80s/", root, s->path);
}

/* ---- Sources ------------------------------------------------------------- */

void
plan_add_unasked(struct plan *p, const struct model_source *s)
{
	char *url = s->is_url ? cmd_copy(s->url) :
	    source_file(s, s->path, p->mirror);
	struct fetch *f;

	if (local_mirror(p) != NULL && !s->is_url) {
		free(url);
		url = cmd_text("file://%s/%s", local_mirror(p), s->path);
	}
	f = add(p, url, cmd_text("%s%s", last_part(s->path), s->is_folder ?
	    "/" : ""));
	know_model(f, s->model);
}

int
plan_add(struct plan *p, const struct model_source *s, struct npu_err *err)
{
	const char *root = local_mirror(p);
	struct listing l = { 0 };
	char *listing;
	int rc;

	if (root != NULL && !s->is_url)
		return s->is_folder ? add_local_folder(p, s, root, err) :
		    add_local_file(p, s, root, err);
	if ((listing = plan_listing(p, s)) == NULL) {
		plan_add_unasked(p, s);
		return 0;
	}
	free(listing);
	rc = fetch_listing(p, s, &l, err);
	if (rc == 0)
		rc = add_from_listing(p, s, &l, err);
	listing_free(&l);
	return rc;
}

static int
by_file(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

const char *
plan_twice(const struct plan *p)
{
	const char **name = cmd_alloc((p->n + 1) * sizeof(*name));
	const char *twice = NULL;

	for (size_t i = 0; i < p->n; i++)
		name[i] = p->file[i].file;
	qsort(name, p->n, sizeof(*name), by_file);
	for (size_t i = 1; i < p->n && twice == NULL; i++)
		if (strcmp(name[i - 1], name[i]) == 0)
			twice = name[i];
	free(name);
	return twice;
}
