// SPDX-License-Identifier: Apache-2.0
/* list.c - npu-model list: the models that are known. */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "catalogue.h"
#include "cmd.h"
#include "delimited.h"
#include "json_error.h"
#include "options.h"
#include "store.h"

#define SCHEMA "npu-model/1"

/* ---- Which models ------------------------------------------------------- */

/* True if the pattern, or a part of the text where it has no wildcards, fits.
 * Upper and lower case are alike. */
static bool
fits(const char *pattern, const char *text)
{
	if (text == NULL)
		return false;
	if (strpbrk(pattern, "*?[") == NULL)
		return strcasestr(text, pattern) != NULL;
	return fnmatch(pattern, text, FNM_CASEFOLD) == 0;
}

static bool
is_wanted(const struct model *m, const char *pattern)
{
	return pattern == NULL || fits(pattern, m->name) ||
	    fits(pattern, m->task) || fits(pattern, m->file) ||
	    fits(pattern, m->release);
}

/* ---- Text --------------------------------------------------------------- */

enum { COLUMNS = 8 };

static const char *const titles[COLUMNS] = { "NAME", "HERE", "TASK",
    "RELEASE", "SIZE", "SHA256", "FILE", "TYPES" };

struct cells {
	const char *cell[COLUMNS];
	char size[24], sum[16];
};

static const char *
known(const char *s)
{
	return s != NULL ? s : "-";
}

static void
fill_cells(struct cells *c, const struct store *s, const struct model *m)
{
	struct stored found;

	store_find(s, m->file, &found);
	snprintf(c->size, sizeof(c->size), "-");
	if (m->size > 0)
		snprintf(c->size, sizeof(c->size), "%" PRIu64, m->size);
	snprintf(c->sum, sizeof(c->sum), "%.12s", known(m->sha256));
	memcpy(c->cell, (const char *[COLUMNS]){ m->name,
	    store_state(&found, m->file), known(m->task),
	    known(m->release), c->size, c->sum, m->file, known(m->types) },
	    sizeof(c->cell));
	free(found.path);
}

static void
widen(size_t width[COLUMNS], const char *const cell[COLUMNS])
{
	for (int i = 0; i < COLUMNS; i++)
		if (strlen(cell[i]) > width[i])
			width[i] = strlen(cell[i]);
}

static void
put_row(struct buf *b, const size_t width[COLUMNS],
    const char *const cell[COLUMNS])
{
	for (int i = 0; i < COLUMNS; i++)
		buf_printf(b, "%-*s%s", i + 1 < COLUMNS ? (int)width[i] : 0,
		    cell[i], i + 1 < COLUMNS ? "  " : "\n");
}

static void
put_table(struct buf *b, const struct model_catalogue *all,
    const struct store *s, const char *pattern)
{
	struct cells *c = cmd_alloc((all->n + 1) * sizeof(*c));
	size_t width[COLUMNS] = { 0 }, n = 0;

	widen(width, titles);
	for (size_t i = 0; i < all->n; i++) {
		if (!is_wanted(&all->model[i], pattern))
			continue;
		fill_cells(&c[n], s, &all->model[i]);
		widen(width, c[n++].cell);
	}
	put_row(b, width, titles);
	for (size_t i = 0; i < n; i++)
		put_row(b, width, c[i].cell);
	free(c);
}

/* ---- Rows --------------------------------------------------------------- */

/* Writes the values that are unknown as empty fields. */
static void
put_fields(struct buf *b, const struct store *s, const struct model *m,
    bool csv)
{
	char size[24] = "";
	const char *field[] = { m->name, NULL, m->task, m->release, size,
	    m->sha256, m->file, m->types, m->hub, m->path };
	const size_t n = sizeof(field) / sizeof(*field);
	struct stored found;

	store_find(s, m->file, &found);
	field[1] = store_state(&found, m->file);
	if (m->size > 0)
		snprintf(size, sizeof(size), "%" PRIu64, m->size);
	for (size_t i = 0; i < n; i++) {
		(csv ? csv_text : tsv_text)(b, field[i] != NULL ? field[i] :
		    "");
		buf_puts(b, i + 1 == n ? "\n" : csv ? "," : "\t");
	}
	free(found.path);
}

static void
put_rows(struct buf *b, const struct model_catalogue *all,
    const struct store *s, const char *pattern, bool csv)
{
	if (csv)
		buf_puts(b, "name,here,task,release,size_bytes,sha256,file,"
		    "types,hub,path\n");
	for (size_t i = 0; i < all->n; i++)
		if (is_wanted(&all->model[i], pattern))
			put_fields(b, s, &all->model[i], csv);
}

/* ---- JSON --------------------------------------------------------------- */

static void
member(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	json_str(j, s);
}

/* Adds the words of a list as an array. */
static void
member_list(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	json_array(j);
	for (size_t n; s != NULL; s = s[n] == ',' ? s + n + 1 : NULL) {
		n = strcspn(s, ",");
		json_strn(j, s, n);
	}
	json_end_array(j);
}

static void
put_model(struct json *j, const struct store *s, const struct model *m)
{
	struct stored found;

	store_find(s, m->file, &found);
	json_object(j);
	member(j, "name", m->name);
	member(j, "task", m->task);
	member(j, "hub", m->hub);
	member(j, "path", m->path);
	member(j, "file", m->file);
	json_key(j, "folder");
	json_bool(j, m->is_folder);
	json_member_count(j, "size_bytes", m->size);
	member(j, "sha256", m->sha256);
	member(j, "release", m->release);
	member(j, "types", m->types);
	member_list(j, "roles", m->roles);
	member_list(j, "companions", m->companions);
	member(j, "licence", m->licence);
	member(j, "remarks", m->remarks);
	member(j, "here", store_state(&found, m->file));
	member(j, "here_path", found.path);
	json_end_object(j);
	free(found.path);
}

static void
put_document(struct buf *b, const struct model_catalogue *all,
    const struct store *s, const char *pattern)
{
	struct json j = { .pretty = true };

	json_object(&j);
	member(&j, "schema", SCHEMA);
	json_key(&j, "models");
	json_array(&j);
	for (size_t i = 0; i < all->n; i++)
		if (is_wanted(&all->model[i], pattern))
			put_model(&j, s, &all->model[i]);
	json_end_array(&j);
	json_end_object(&j);
	*b = j.out;
	buf_puts(b, "\n");
}

int
list_main(const struct model_options *o)
{
	const char *pattern = o->operands[0];
	struct model_catalogue all;
	struct buf b = { 0 };
	struct store s;

	if (o->json)
		json_on_failure(SCHEMA, o->output);
	catalogue_open(&all);
	store_open(&s);
	if (o->json)
		put_document(&b, &all, &s, pattern);
	else if (o->format != FORMAT_TEXT)
		put_rows(&b, &all, &s, pattern, o->format == FORMAT_CSV);
	else
		put_table(&b, &all, &s, pattern);
	cmd_on_exit(NULL, NULL);
	cmd_write_document(o->output, &b);
	store_close(&s);
	catalogue_free(&all);
	return EXIT_DONE;
}
