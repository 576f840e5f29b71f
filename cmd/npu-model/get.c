// SPDX-License-Identifier: Apache-2.0
/* get.c - npu-model get: fetches files, and checks them before they get their
 * names. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/num.h"
#include "catalogue.h"
#include "cmd.h"
#include "fetch.h"
#include "folder.h"
#include "json_error.h"
#include "options.h"
#include "ordered_pool.h"
#include "plan.h"
#include "progress.h"
#include "source.h"

#define SCHEMA "npu-model/1"

enum {
	NOTES_MOST = 20,	/* files that are announced one by one */
	MB = 1000000,
};

static const char *const states[] = {
	[FETCH_FAILED] = "failed",
	[FETCH_DONE] = "fetched",
	[FETCH_HERE] = "here",
	[FETCH_UNTRUSTED] = "untrusted",
};

struct get {
	const struct model_options *o;
	struct model_catalogue catalogue;
	struct model_source *source;	/* owned, one for each operand */
	char *folder;
	char *mirror;		/* owned or NULL */
	struct plan plan;
	struct record record;
	struct fetch_options fetch;
	struct buf text;	/* what goes to stdout */
	struct json json;
	int failed, untrusted;
};

/* ---- Options ------------------------------------------------------------- */

/* Returns --mirror, else NPU_HUB, as a URL or an absolute path; NULL for
 * neither. */
static char *
find_mirror(const struct model_options *o)
{
	const char *name = o->mirror != NULL ? "--mirror" : "NPU_HUB";
	const char *value = o->mirror != NULL ? o->mirror : getenv("NPU_HUB");
	struct npu_err err;
	char *path, *local;

	if (value == NULL || *value == '\0')
		return NULL;
	local = source_local_path(value);
	if (local == NULL && strstr(value, "://") != NULL) {
		if (transfer_check(value, &err) < 0)
			cmd_usage("%s: %s: %s", name, value, err.msg);
		return cmd_copy(value);
	}
	path = realpath(local != NULL ? local : value, NULL);
	free(local);
	if (path == NULL)
		cmd_die("%s: %s: %s; name a URL or a folder", name, value,
		    strerror(errno));
	return path;
}

static void
read_sum(struct sum *sum, const char *digits)
{
	if (digits != NULL && !sum_parse(sum, digits, strlen(digits)))
		cmd_usage("--sha256: '%s' is not 64 hexadecimal digits",
		    digits);
}

static void
read_sources(struct get *g)
{
	const struct model_options *o = g->o;
	struct npu_err err;

	g->source = cmd_alloc((size_t)o->n_operands * sizeof(*g->source));
	for (int i = 0; i < o->n_operands; i++) {
		if (source_parse(&g->source[i], o->operands[i], &g->catalogue,
		    &err) < 0 ||
		    (g->source[i].is_url &&
		    transfer_check(g->source[i].url, &err) < 0))
			cmd_usage("%s: %s", o->operands[i], err.msg);
		if (g->source[i].is_folder && o->sha256 != NULL)
			cmd_usage("--sha256 is for one file, and '%s' is a "
			    "folder", o->operands[i]);
	}
	if (o->sha256 != NULL && o->n_operands > 1)
		cmd_usage("--sha256 is for one file; name one");
}

static void
begin(struct get *g, const struct model_options *o)
{
	const unsigned jobs = o->jobs;

	g->o = o;
	catalogue_open(&g->catalogue);
	read_sources(g);
	read_sum(&g->plan.sum, o->sha256);
	g->mirror = find_mirror(o);
	g->folder = o->output != NULL ? cmd_copy(o->output) :
	    folder_for_models();
	g->fetch = (struct fetch_options){ .folder = g->folder,
	    .record = &g->record, .trust = o->trust, .force = o->force,
	    .transfer = o->transfer };
	/* The limit is for all files together. */
	if (o->transfer.rate > 0)
		g->fetch.transfer.rate = o->transfer.rate / jobs > 0 ?
		    o->transfer.rate / jobs : 1;
	g->plan.catalogue = &g->catalogue;
	g->plan.folder = g->folder;
	g->plan.mirror = g->mirror;
	g->plan.transfer = &g->fetch.transfer;
}

/* ---- What will be asked -------------------------------------------------- */

/* Adds a line to the plan of --dry-run, or prints it as a note. */
static void announce(struct get *g, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void
announce(struct get *g, const char *fmt, ...)
{
	va_list ap;
	char *line;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&line, fmt, ap);
	va_end(ap);
	if (n < 0)
		cmd_die("out of memory");
	if (g->o->dry_run && !g->o->json) {
		buf_puts(&g->text, line);
		buf_puts(&g->text, "\n");
	} else {
		cmd_note("%s", line);
	}
	free(line);
}

static void
announce_listings(struct get *g)
{
	char *url;

	for (int i = 0; i < g->o->n_operands; i++) {
		url = plan_listing(&g->plan, &g->source[i]);
		if (url != NULL)
			announce(g, "asks for the list of files: %s", url);
		free(url);
	}
}

static void
announce_file(struct get *g, const struct fetch *f)
{
	char size[40] = "size not known yet";

	if (access(f->path, F_OK) == 0 && !g->o->force) {
		announce(g, "checks %s, which is there", f->file);
		return;
	}
	if (f->has_size)
		snprintf(size, sizeof(size), "%" PRIu64 " byte%s", f->size,
		    num_plural(f->size));
	announce(g, "fetches %s, %s: %s", f->file, size, f->shown);
}

static uint64_t
total(const struct plan *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (n + p->file[i].size >= n)
			n += p->file[i].size;
	return n;
}

static void
announce_files(struct get *g)
{
	const struct plan *p = &g->plan;

	if (p->n == 0)
		return;
	announce(g, "puts files into %s", g->folder);
	for (size_t i = 0; i < p->n && i < NOTES_MOST; i++)
		announce_file(g, &p->file[i]);
	if (p->n > NOTES_MOST)
		announce(g, "and %zu more", p->n - NOTES_MOST);
	if (p->n > 1)
		announce(g, "%zu files, %.1f MB in all", p->n,
		    (double)total(p) / MB);
}

/* ---- The report ---------------------------------------------------------- */

static void
member(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	json_str(j, s != NULL && *s != '\0' ? s : NULL);
}

static void
put_cix(struct json *j, const struct content *c)
{
	member(j, "builder", c->builder);
	member(j, "target", c->target);
	json_key(j, "runs_here");
	if (c->kind == CONTENT_CIX && c->board_known)
		json_bool(j, c->runs_here);
	else
		json_null(j);
	member(j, "runs_here_reason", c->runs_why);
}

static void
put_size(struct json *j, bool known, uint64_t size)
{
	json_key(j, "size_bytes");
	if (known)
		json_uint(j, size);
	else
		json_null(j);
}

static void
put_json(struct json *j, const struct fetch *f, const char *state)
{
	const bool got = f->got.text[0] != '\0';

	json_object(j);
	member(j, "file", f->path);
	member(j, "source", f->shown);
	member(j, "state", state);
	put_size(j, got || f->has_size, got ? f->got_size : f->size);
	member(j, "sha256", got ? f->got.text : f->sum.text);
	member(j, "etag", f->etag);
	put_cix(j, &f->content);
	if (strcmp(state, "failed") == 0)
		json_error(j, f->err.msg, EXIT_FAILED);
	json_end_object(j);
}

/* Says what a .cix is, and whether it runs here. */
static void
note_cix(const struct fetch *f)
{
	const struct content *c = &f->content;

	if (c->kind != CONTENT_CIX)
		return;
	cmd_note("%s: built by %s for %s; %s%s%s", f->file,
	    c->builder[0] != '\0' ? c->builder : "an unknown builder",
	    c->target, c->runs_here ? "this machine runs it" :
	    c->board_known ? "this machine does not run it: " :
	    "it is not known whether this machine runs it: ",
	    c->runs_here ? "" : c->runs_why,
	    f->state == FETCH_UNTRUSTED ? " (still a part)" : "");
}

/* Reports a file that is finished. */
static void
report(struct get *g, const struct fetch *f)
{
	if (f->state == FETCH_FAILED) {
		cmd_warn("%s: %s", f->file, f->err.msg);
		g->failed++;
	} else if (f->state == FETCH_UNTRUSTED) {
		cmd_warn("%s: no sum is known to check it with; its sha256 is "
		    "%s; if that is right, run this again with --sha256=%s",
		    f->file, f->got.text, f->got.text);
		g->untrusted++;
	}
	if (f->state != FETCH_FAILED)
		note_cix(f);
	if (g->o->json)
		put_json(&g->json, f, states[f->state]);
	else if (f->state == FETCH_DONE || f->state == FETCH_HERE)
		buf_printf(&g->text, "%s\n", f->path);
}

static void
begin_report(struct get *g)
{
	g->json.pretty = true;
	if (!g->o->json)
		return;
	json_object(&g->json);
	member(&g->json, "schema", SCHEMA);
	member(&g->json, "folder", g->folder);
	json_key(&g->json, "files");
	json_array(&g->json);
}

/* Ends the report.  Returns the exit status. */
static int
end_report(struct get *g)
{
	int status = g->failed > 0 ? EXIT_FAILED : g->untrusted > 0 ?
	    EXIT_VERDICT : EXIT_DONE;

	cmd_on_exit(NULL, NULL);
	if (g->o->json) {
		json_end_array(&g->json);
		if (g->failed > 0)
			json_error(&g->json, cmd_last_message(), status);
		json_end_object(&g->json);
		buf_puts(&g->json.out, "\n");
		g->text = g->json.out;
	}
	cmd_write_document(NULL, &g->text);
	return status;
}

/* ---- The work ------------------------------------------------------------ */

/* Makes the folders of all files.  Dies. */
static void
make_folders(const struct get *g)
{
	char *folder;

	folder_make(g->folder);
	for (size_t i = 0; i < g->plan.n; i++) {
		const char *file = g->plan.file[i].path;

		folder = cmd_text("%.*s", (int)(strrchr(file, '/') - file),
		    file);
		if (access(folder, F_OK) < 0)
			folder_make(folder);
		free(folder);
	}
}

static void
show_progress(const struct plan *p)
{
	uint64_t n = 0;

	for (size_t i = 0; progress_wanted() && i < p->n; i++)
		n += atomic_load(&p->file[i].here);
	progress_update(n / MB);
}

static void
work(void *arg, unsigned worker, size_t slot)
{
	struct get *g = arg;

	(void)worker;
	fetch_file(&g->plan.file[slot], &g->fetch);
}

/* Takes the oldest file that threads work on, and reports it. */
static void
take(struct get *g, struct ordered_pool *pool)
{
	size_t i;

	while (!ordered_pool_wait(pool))
		show_progress(&g->plan);
	if (ordered_pool_take(pool, &i))
		report(g, &g->plan.file[i]);
	ordered_pool_release(pool);
	show_progress(&g->plan);
}

static void
fetch_all(struct get *g)
{
	/* A thread even for one file: this one shows the progress.  Slot i is
	 * file i. */
	const struct ordered_pool_spec spec = { .threads = g->o->jobs,
	    .slots = g->plan.n, .work = work, .arg = g };
	struct ordered_pool *pool = ordered_pool_open(&spec);

	progress_begin("MB", total(&g->plan) / MB);
	for (size_t i = 0; i < g->plan.n; i++)
		ordered_pool_submit(pool);
	while (ordered_pool_waiting(pool))
		take(g, pool);
	ordered_pool_close(pool);
	progress_end();
}

/* Adds the files of all operands; an operand that fails is reported, and the
 * others are fetched (rule 26). */
static void
add_files(struct get *g)
{
	struct npu_err err;
	const char *twice;

	for (int i = 0; i < g->o->n_operands; i++) {
		if (g->o->dry_run) {
			plan_add_unasked(&g->plan, &g->source[i]);
		} else if (plan_add(&g->plan, &g->source[i], &err) < 0) {
			cmd_warn("%s: %s", g->source[i].word, err.msg);
			g->failed++;
		}
	}
	if ((twice = plan_twice(&g->plan)) != NULL)
		cmd_usage("two operands bring a file '%s'; get them into "
		    "different folders (-o)", twice);
}

static void
end(struct get *g)
{
	plan_free(&g->plan);
	record_free(&g->record);
	for (int i = 0; i < g->o->n_operands; i++)
		source_free(&g->source[i]);
	free(g->source);
	free(g->mirror);
	free(g->folder);
	catalogue_free(&g->catalogue);
}

static void
fetch_files(struct get *g)
{
	struct npu_err err;

	if (g->plan.n == 0)
		return;
	make_folders(g);
	if (record_read(&g->record, g->folder, &err) < 0)
		cmd_die("%s", err.msg);
	fetch_all(g);
}

int
get_main(const struct model_options *o)
{
	struct get g = { 0 };
	int status;

	if (o->json)
		json_on_failure(SCHEMA, NULL);
	/* The board's library, which says whether a model runs here, prints. */
	cmd_claim_stdout();
	transfer_start();
	begin(&g, o);
	announce_listings(&g);
	add_files(&g);
	announce_files(&g);
	begin_report(&g);
	if (!o->dry_run) {
		fetch_files(&g);
	} else if (o->json) {
		for (size_t i = 0; i < g.plan.n; i++)
			put_json(&g.json, &g.plan.file[i], "planned");
	}
	status = end_report(&g);
	end(&g);
	return status;
}
