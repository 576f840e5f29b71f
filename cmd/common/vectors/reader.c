// SPDX-License-Identifier: Apache-2.0
/* reader.c - the input's form, its vectors and their names. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/encoding.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "bus_error.h"
#include "progress.h"
#include "reader_impl.h"

/* ---- Opening ----------------------------------------------------------- */

/* True if b, which is not empty, begins with white space and an object: in
 * UTF-8, or in UTF-16 or UTF-32, whose first line is then refused. */
static bool
begins_line(struct bytes b)
{
	static const char wide[][5] = { "\xff\xfe{\0", "\xfe\xff\0{",
	    "\0{\0\"", "\xff\xfe\0\0", "\0\0\xfe\xff", "\0\0\0{" };

	for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++)
		if (b.n >= 4 && memcmp(b.p, wide[i], 4) == 0)
			return true;
	if (bytes_start(b, "\xef\xbb\xbf"))
		bytes_sub(b, 3, b.n - 3, &b);
	for (size_t i = 0; i < b.n; i++)
		if (b.p[i] == '\0' || strchr(" \t\r\n", b.p[i]) == NULL)
			return b.p[i] == '{';
	return true;
}

static enum vector_form
find_form(const struct vector_reader *v)
{
	const struct stream *s = &v->s;

	if (s->kind == STREAM_EMPTY)
		return VECTORS_NONE;
	if (s->kind == STREAM_LABELLED)
		return VECTORS_LABELLED;
	if (s->archive != NULL)
		return VECTORS_ARCHIVE;
	if (s->kind == STREAM_NPY)
		return VECTORS_NPY;
	if (s->n_ahead == 8 && memcmp(s->ahead, INDEX_MAGIC, 8) == 0)
		return VECTORS_INDEX;
	if (begins_line((struct bytes){ s->ahead, s->n_ahead }))
		return VECTORS_LINES;
	cmd_die("%s: neither labelled tensors, .npy, .npz, .safetensors (in a "
	    "file, not a pipe), lines of JSON nor an index; npu-tensor puts a "
	    "label before raw floats", v->name);
}

static void
open_ids(struct vector_reader *v, const struct vector_reader_options *o)
{
	struct bytes text;
	struct npu_err err;
	size_t n;

	if (o->ids == NULL)
		return;
	if (v->form == VECTORS_INDEX || v->form == VECTORS_LINES)
		cmd_usage("%s: %s names its vectors itself",
		    o->ids_option != NULL ? o->ids_option : "--ids", v->name);
	v->ids_name = cmd_input_name(o->ids);
	v->ids.p = cmd_read_file(o->ids, (size_t)1 << 32, &n);
	v->ids.n = n;
	v->ids_end = o->null ? '\0' : '\n';
	text = v->ids;
	if (encoding_begin(&text, !o->null, &err) < 0)
		cmd_die_err(v->ids_name, &err);
	v->ids_at = v->ids_begin = n - text.n;
}

/* Reads lines from a pipe, beginning with the bytes that showed the form. */
static void
stream_lines(struct vector_reader *v)
{
	lines_open(&v->lines, v->s.fd, v->name, '\n', VECTORS_MAX_LINE);
	v->lines.cap = 1 << 18;
	v->lines.p = cmd_alloc(v->lines.cap);
	memcpy(v->lines.p, v->s.ahead, v->s.n_ahead);
	v->lines.n = v->s.n_ahead;
}

void
vector_reader_open(struct vector_reader *v, const char *path,
    const struct vector_reader_options *o)
{
	*v = (struct vector_reader){ .name = cmd_input_name(path) };
	cmd_catch_bus_error();
	stream_open(&v->s, path);
	v->form = find_form(v);
	if (v->form == VECTORS_INDEX)
		vector_reader_open_index(v, o->once);
	else if (v->form == VECTORS_ARCHIVE && o->again)
		vector_reader_load_archive(v);
	else if (v->form != VECTORS_ARCHIVE && v->form != VECTORS_NONE &&
	    !vector_reader_map(v, o->once) && o->again)
		vector_reader_load(v);
	if (v->form == VECTORS_LINES && !v->in_memory)
		stream_lines(v);
	open_ids(v, o);
}

void
vector_reader_rewind(struct vector_reader *v)
{
	vector_reader_end_scan(v);
	mapped_file_rewind(&v->window);
	v->at = 0;
	v->ids_at = v->ids_begin;
	v->number = v->unit = v->rows = 0;
	v->counted = v->digits = 0;
}

static bool
blank(const char *p, size_t n)
{
	while (n > 0 && strchr(" \t\r", p[n - 1]) != NULL && p[n - 1] != '\0')
		n--;
	return n == 0;
}

/* True if a non-empty line, or the end, can be read without waiting.  Reads
 * until that is known, because a part of a line, or an empty line, may be all
 * that arrives for a long time. */
static bool
line_waits(struct lines *l)
{
	size_t begin = 0, seen = 0, end;
	const char *p, *newline;

	for (;;) {
		p = l->p + l->from;
		newline = l->n > seen ? memchr(p + seen, '\n', l->n - seen) :
		    NULL;
		if (newline != NULL) {
			end = (size_t)(newline - p);
			if (!blank(p + begin, end - begin))
				return true;
			begin = seen = end + 1;
			continue;
		}
		seen = l->n;
		if (l->n > l->limit)
			return true;
		if (cmd_would_wait(l->fd))
			return false;
		if (lines_peek(l, l->n + 1) == NULL)
			return true;
	}
}

bool
vector_reader_ready(struct vector_reader *v)
{
	if (v->in_memory || v->rows > 0 || v->index != NULL)
		return true;
	if (v->form == VECTORS_LINES)
		return line_waits(&v->lines);
	return !cmd_would_wait(v->s.fd);
}

void
vector_reader_close(struct vector_reader *v)
{
	index_unmap(v->index);
	line_free(&v->line);
	free(v->lines.p);
	vector_reader_free_memory(v);
	free(v->row);
	free((void *)v->ids.p);
	stream_close(&v->s);
}

void
vector_reader_detail(const struct vector_reader *v)
{
	static const char *const forms[] = {
		[VECTORS_LABELLED] = "labelled tensors",
		[VECTORS_NPY] = ".npy",
		[VECTORS_ARCHIVE] = "arrays of an archive",
		[VECTORS_LINES] = "lines of JSON",
		[VECTORS_INDEX] = "an index",
	};

	if (v->dim == 0)
		cmd_detail("%s: no vectors", v->name);
	else
		cmd_detail("%s: %" PRIu64 " vector%s of %" PRIu32 " number%s, "
		    "%s", v->name, v->number, v->number == 1 ? "" : "s",
		    v->dim, v->dim == 1 ? "" : "s", forms[v->form]);
}

/* ---- Names ------------------------------------------------------------- */

const char *
vector_name(const struct vector *row)
{
	static char text[200];
	int n = row->id_n < 100 ? (int)row->id_n : 100;
	char number[24];

	snprintf(number, sizeof(number), "%" PRIu64, row->number);
	if (row->id_n == strlen(number) &&
	    memcmp(row->id, number, row->id_n) == 0)
		return memcpy(text, number, sizeof(number));
	snprintf(text, sizeof(text), "%s (%.*s)", number, n, row->id);
	return text;
}

/* Names a vector by the next line of --ids. */
static int
name_by_ids(struct vector_reader *v, struct vector *row, struct npu_err *err)
{
	const uint8_t *p = v->ids.p + v->ids_at, *end;
	size_t left = v->ids.n - v->ids_at;

	if (left == 0)
		return npu_fail(err, NPU_EFORMAT, "%s has %" PRIu64 " name%s, "
		    "and there is a vector %" PRIu64, v->ids_name,
		    v->number - 1, num_plural(v->number - 1), v->number);
	end = memchr(p, v->ids_end, left);
	row->id = (const char *)p;
	row->id_n = end != NULL ? (size_t)(end - p) : left;
	v->ids_at += row->id_n + (end != NULL);
	if (v->ids_end == '\n' && row->id_n > 0 && p[row->id_n - 1] == '\r')
		row->id_n--;
	return 0;
}

/* Checks that the names of --ids end with the vectors. */
static int
check_ids(const struct vector_reader *v, struct npu_err *err)
{
	if (v->ids.p == NULL || v->ids_at == v->ids.n)
		return 0;
	return npu_fail(err, NPU_EFORMAT, "%s has more names than the %" PRIu64
	    " vector%s", v->ids_name, v->number, num_plural(v->number));
}

/* Increments the number in v->text.  printf() or a division for each vector
 * took a noticeable share of a search's time. */
static void
count(struct vector_reader *v)
{
	char *p = v->text + sizeof(v->text);

	v->counted++;
	for (size_t i = 0; i < v->digits; i++) {
		if (*--p != '9') {
			++*p;
			return;
		}
		*p = '0';
	}
	*--p = '1';
	v->digits++;
}

static void
name_by_number(struct vector_reader *v, struct vector *row)
{
	const uint64_t n = v->form == VECTORS_LINES ? v->unit : v->number;

	while (v->counted < n)
		count(v);
	row->id = v->text + sizeof(v->text) - v->digits;
	row->id_n = v->digits;
}

/* Names a vector without a name by --ids or by its number. */
static int
name_row(struct vector_reader *v, struct vector *row, struct npu_err *err)
{
	if (v->ids.p != NULL)
		return name_by_ids(v, row, err);
	if (row->id == NULL)
		name_by_number(v, row);
	return 0;
}

static int
check_width(struct vector_reader *v, const struct vector *row,
    struct npu_err *err)
{
	if (row->x == NULL)
		return 0;
	if (v->dim == 0)
		v->dim = row->dim;
	if (v->dim != row->dim)
		return npu_fail(err, NPU_EFORMAT, "vector %s has %u numbers, "
		    "those before it have %u", vector_name(row), row->dim,
		    v->dim);
	return 0;
}

/* ---- Forms ------------------------------------------------------------- */

/* Reads the next line that is not empty; false at the end. */
static int
next_line(struct vector_reader *v, char **p, size_t *n, struct npu_err *err)
{
	const char *at, *end;

	if (!v->in_memory) {
		if (lines_next(&v->lines, p, n))
			return 1;
		if (v->lines.err.code != 0)
			*err = v->lines.err;
		return v->lines.err.code;
	}
	if (v->at == v->file.n)
		return 0;
	at = (const char *)v->file.p + v->at;
	end = memchr(at, '\n', v->file.n - v->at);
	*p = (char *)at;
	*n = end != NULL ? (size_t)(end - at) : v->file.n - v->at;
	v->at += *n + (end != NULL);
	if (*n > VECTORS_MAX_LINE)
		return npu_fail(err, NPU_EFORMAT, "line %" PRIu64 ": longer "
		    "than %zu bytes", v->unit + 1, VECTORS_MAX_LINE);
	return 1;
}

static int
next_of_lines(struct vector_reader *v, struct vector *row, struct npu_err *err)
{
	const struct line *l = &v->line;
	struct bytes text;
	char *p;
	int rc;

	do {
		if ((rc = next_line(v, &p, &text.n, err)) <= 0)
			return rc;
		text.p = (const uint8_t *)p;
		if (v->unit++ == 0 && (rc = encoding_begin(&text, true,
		    err)) < 0)
			return rc;
	} while (blank((const char *)text.p, text.n));
	if ((rc = line_read(&v->line, (const char *)text.p, text.n, err)) < 0)
		return npu_prefix(err, rc, "line %" PRIu64, v->unit);
	*row = (struct vector){ .id = l->id, .id_n = l->id_n,
	    .not_utf8 = l->not_utf8, .x = l->x, .dim = l->dim,
	    .error = l->error, .kind = l->kind,
	    .model_sha256 = l->model_sha256, .model = l->model,
	    .preprocessing = l->preprocessing, .has_norm = l->has_norm,
	    .norm = l->norm };
	return 1;
}

/* Returns the bytes of a mapped file that were used so far; 0 for other input,
 * whose bytes are counted where they are read. */
static size_t
mapped_bytes(const struct vector_reader *v)
{
	return v->mapped ? v->at - (size_t)v->rows * v->dim * sizeof(float) :
	    0;
}

int
vector_reader_next(struct vector_reader *v, struct vector *row,
    struct npu_err *err)
{
	const size_t before = mapped_bytes(v);
	int rc;

	if (v->form == VECTORS_NONE)
		rc = 0;
	else if (v->form == VECTORS_INDEX)
		rc = vector_reader_next_of_index(v, row, err);
	else if (v->form == VECTORS_LINES)
		rc = next_of_lines(v, row, err);
	else
		rc = vector_reader_next_of_tensors(v, row, err);
	if (rc == 0)
		return check_ids(v, err);
	if (rc < 0)
		return rc;
	row->number = ++v->number;
	if ((rc = name_row(v, row, err)) < 0 ||
	    (rc = check_width(v, row, err)) < 0)
		return rc;
	progress_bytes(mapped_bytes(v) - before);
	return 1;
}
