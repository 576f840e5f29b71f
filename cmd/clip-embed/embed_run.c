// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/num.h"
#include "device.h"
#include "embed_run.h"
#include "lines.h"
#include "progress.h"

/* ---- Output ------------------------------------------------------------ */

/* Normalises r->x and stores its previous length.  With --norm=none, x is only
 * measured.  Fails if x cannot be normalised or is not finite, even with
 * --norm=none. */
static bool
normalise(const struct embed_run *e, const struct clip_result *r,
    double *length, struct npu_err *err)
{
	size_t n = e->run.clip->dim;

	*length = clip_length(r->x, n);
	if (!e->writer.normalise && isfinite(*length))
		return true;
	return npu_l2_normalise(r->x, n, err) == 0;
}

/* Reports a failed input.  Called in input order, so messages appear in the
 * same order as the results. */
static void
fail(struct embed_run *e, const struct clip_result *r, const char *error)
{
	const char *hint = strcmp(error, strerror(ENOENT)) == 0 &&
	    cmd_looks_like_text(r->name) ? "; use --text to give a text" : "";

	if (e->writer.on_error == ON_ERROR_FAIL)
		cmd_die("%s: %s%s", r->name, error, hint);
	cmd_warn("%s: %s%s", r->name, error, hint);
	e->failed++;
}

static void
put(void *arg, const struct clip_result *r)
{
	struct embed_run *e = arg;
	struct embedding v = { .id = r->id, .id_n = r->id_n,
	    .by = e->run.clip, .error = r->error, .x = r->x };
	struct npu_err err;

	if (v.error == NULL && !r->known && !normalise(e, r, &v.length, &err))
		v.error = err.msg;
	if (v.error == NULL && e->index.path != NULL &&
	    index_writer_put(&e->index, r, &err) < 0)
		v.error = err.msg;
	if (v.error != NULL)
		fail(e, r, v.error);
	if (e->index.path == NULL)
		embedding_writer_put(&e->writer, &v);
	cmd_end_if_stopped();
	progress_update(++e->done);
}

/* ---- Input ------------------------------------------------------------- */

static void
begin(struct embed_run *e, struct clip *c)
{
	if (e->index.path != NULL) {
		index_writer_open(&e->index, c, e->writer.normalise);
		e->run.wanted = index_writer_wanted;
		e->run.wanted_arg = &e->index;
	} else if (e->writer.format == REAL_JSONL ||
	    e->writer.about != NULL) {
		clip_hash(c);
	}
	clip_run_begin(&e->run, c);
	embedding_writer_width(&e->writer, c->dim);
}

static void
end(struct embed_run *e)
{
	clip_run_end(&e->run);
	progress_end();
	embedding_writer_describe(&e->writer, e->run.clip);
}

void
embed_run_texts(struct embed_run *e, char *const *text, size_t n)
{
	begin(e, &e->text);
	progress_begin("texts", n);
	for (size_t i = 0; i < n; i++)
		clip_run_text(&e->run, &(struct text_record){ .name = "--text",
		    .unit = "text", .number = i + 1, .p = text[i],
		    .n = strlen(text[i]) });
	end(e);
}

/* Reports a file that cannot be read, after all texts before it; the next files
 * are still read. */
static void
skip_file(struct embed_run *e, const char *name, const char *why)
{
	clip_run_texts_drain(&e->run);
	fail(e, &(struct clip_result){ .name = name }, why);
}

static void
add_file(struct embed_run *e, const char *path)
{
	struct text_record r = { .name = cmd_input_name(path) };
	struct lines l;
	char *p;
	int fd;

	cmd_refuse_terminal(path);
	fd = cmd_try_open_input(path);
	cmd_end_if_stopped();
	if (fd < 0) {
		skip_file(e, r.name, strerror(errno));
		return;
	}
	lines_open(&l, fd, r.name, e->writer.null ? '\0' : '\n',
	    NPU_TEXT_MAX);
	l.pause = clip_run_texts_drain;
	l.arg = &e->run;
	r.unit = lines_unit(&l);
	while (lines_next_text(&l, &p, &r.n)) {
		r.p = p;
		r.number = l.number;
		clip_run_text(&e->run, &r);
	}
	cmd_end_if_stopped();
	clip_run_texts_drain(&e->run);
	if (l.err.code != 0)
		skip_file(e, r.name, l.err.msg);
	l.err.code = 0;
	lines_close(&l);
}

/* Counts the lines of files.  Returns 0, unknown, if one is not a regular file
 * or cannot be read. */
static uint64_t
count_lines(char *const *files, char delimiter)
{
	struct lines l = { .number = 0 };
	bool read = true;
	uint64_t n = 0;
	struct stat st;
	size_t size;
	char *p;
	int fd;

	for (size_t i = 0; files[i] != NULL && read; i++) {
		if (cmd_is_dash(files[i]) || stat(files[i], &st) < 0 ||
		    !S_ISREG(st.st_mode) ||
		    (fd = cmd_try_open_input(files[i])) < 0)
			return 0;
		lines_open(&l, fd, files[i], delimiter, NPU_TEXT_MAX);
		while (lines_next(&l, &p, &size))
			n++;
		read = l.err.code == 0;
		/* add_file() will report the error. */
		l.err.code = 0;
		lines_close(&l);
	}
	return read ? n : 0;
}

void
embed_run_lines(struct embed_run *e, char *const *files)
{
	begin(e, &e->text);
	progress_begin("texts", 0);
	if (progress_wanted())
		progress_total(count_lines(files, e->writer.null ? '\0' :
		    '\n'));
	if (files[0] == NULL)
		add_file(e, NULL);
	for (size_t i = 0; files[i] != NULL; i++)
		add_file(e, files[i]);
	end(e);
}

void
embed_run_pictures(struct embed_run *e)
{
	begin(e, &e->image);
	clip_run_pictures(&e->run);
	end(e);
}

/* ---- Start and end ----------------------------------------------------- */

void
embed_run_check_lines(char *const *files)
{
	size_t dashes = 0;

	for (size_t i = 0; files[i] != NULL; i++)
		dashes += strcmp(files[i], "-") == 0;
	if (dashes > 1)
		cmd_usage("stdin can be read only once; name files for the "
		    "others");
	if (files[0] == NULL && isatty(STDIN_FILENO))
		cmd_usage("texts are read from stdin, which is a terminal; "
		    "redirect it (< file), name a file, or give --text=TEXT");
}

void
embed_run_open(struct embed_run *e)
{
	e->run.done = put;
	e->run.arg = e;
	if (e->index.path == NULL)
		embedding_writer_open(&e->writer);
	e->begin = clock_ns();
}

static void
print_stats(const struct embed_run *e)
{
	const struct clip_run *r = &e->run;
	double s = (double)(clock_ns() - e->begin) / 1e9;
	double n = e->done > 0 ? (double)e->done * 1e6 : 1;
	uint64_t wait_infer = r->images.wait_infer_ns + r->wait_texts_ns;

	cmd_warn("%" PRIu64 " vector%s in %.3f s, %.1f/s; %" PRIu64 " failed, %"
	    PRIu64 " left out; mean ms decoding %.3f, waited for it %.3f, for "
	    "the model %.3f: bound by %s", e->done, num_plural(e->done), s,
	    (double)e->done / s,
	    e->failed, r->skipped, (double)r->images.preprocess_ns / n,
	    (double)r->images.wait_preprocess_ns / n, (double)wait_infer / n,
	    r->images.wait_preprocess_ns > wait_infer ? "decoding" :
	    "the model");
}

bool
embed_run_close(struct embed_run *e)
{
	if (e->index.path != NULL)
		index_writer_close(&e->index);
	else
		embedding_writer_close(&e->writer);
	if (e->stats)
		print_stats(e);
	clip_free(&e->text);
	clip_free(&e->image);
	return e->failed == 0;
}
