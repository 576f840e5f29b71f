// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "delimited.h"
#include "json_error.h"
#include "match_writer.h"
#include "tensor/npy.h"

#define SCHEMA "vec-nearest/1"

static void
write_out(struct match_writer *w)
{
	struct buf *b = &w->json.out;

	if (b->failed)
		cmd_die("out of memory");
	cmd_write(&w->out, b->p, b->n);
	buf_clear(b);
}

void
match_writer_open(struct match_writer *w, const char *path,
    enum match_format format, bool null, bool matrix)
{
	bool binary = format == MATCH_LABEL || format == MATCH_NPY;

	w->format = format;
	w->null = null;
	cmd_open_output(&w->out, path, binary);
	if (format == MATCH_CSV && !matrix)
		buf_puts(&w->json.out, "query,rank,score,id\n");
	if (w->format != MATCH_JSON)
		return;
	w->json.pretty = true;
	json_object(&w->json);
	json_member_str(&w->json, "schema", SCHEMA);
	json_key(&w->json, "queries");
	json_array(&w->json);
}

/* ---- Tables ------------------------------------------------------------ */

static void
put_score(struct buf *b, double score)
{
	char text[40];

	if (isnan(score)) {
		buf_puts(b, "nan");
		return;
	}
	num_format_double(score, text, sizeof(text));
	buf_puts(b, text);
}

/* Adds a name as a field.  A reader of CSV would end a name at a NUL. */
static void
put_field(struct match_writer *w, const char *p, size_t n)
{
	if (w->format == MATCH_TSV)
		tsv_bytes(&w->json.out, p, n);
	else if (memchr(p, '\0', n) == NULL)
		csv_bytes(&w->json.out, p, n);
	else
		cmd_die("name '%s...': CSV cannot hold the NUL in it; "
		    "--format=jsonl can", cmd_visible_name(p));
}

static const char *
separator(const struct match_writer *w)
{
	return w->format == MATCH_TSV ? "\t" : ",";
}

static void
put_csv(struct match_writer *w, const struct query *q)
{
	struct buf *b = &w->json.out;

	for (size_t i = 0; i < q->top.n; i++) {
		const struct match *m = &q->top.match[i];

		put_field(w, q->id, q->id_n);
		buf_printf(b, ",%zu,", i + 1);
		put_score(b, m->score);
		buf_puts(b, ",");
		put_field(w, m->id, m->id_n);
		buf_puts(b, "\n");
	}
}

static void
put_table(struct match_writer *w, const struct query *q)
{
	struct buf *b = &w->json.out;

	for (size_t i = 0; i < q->top.n; i++) {
		const struct match *m = &q->top.match[i];

		tsv_bytes(b, q->id, q->id_n);
		buf_printf(b, "\t%zu\t", i + 1);
		put_score(b, m->score);
		buf_puts(b, "\t");
		/* With -0, the last field ends with NUL, and needs no
		 * escapes. */
		if (w->null)
			buf_add(b, m->id, m->id_n);
		else
			tsv_bytes(b, m->id, m->id_n);
		buf_add(b, w->null ? "" : "\n", 1);
	}
}

/* ---- JSON -------------------------------------------------------------- */

/* Adds a name, and its "invalid_utf8" if the input's JSON had marked it so. */
static void
put_name(struct json *j, const char *id, size_t n, bool not_utf8)
{
	json_strn(j, id, n);
	if (not_utf8)
		json_mark_invalid(j);
}

static void
put_object(struct match_writer *w, const struct query *q)
{
	struct json *j = &w->json;

	if (w->format == MATCH_JSONL)
		j->comma = false;
	json_object(j);
	if (w->format == MATCH_JSONL)
		json_member_str(j, "schema", SCHEMA);
	json_key(j, "query");
	put_name(j, q->id, q->id_n, q->not_utf8);
	if (q->error != NULL)
		json_member_str(j, "error", q->error);
	json_key(j, "matches");
	json_array(j);
	for (size_t i = 0; i < q->top.n; i++) {
		const struct match *m = &q->top.match[i];

		json_object(j);
		json_member_uint(j, "rank", i + 1);
		json_key(j, "id");
		put_name(j, m->id, m->id_n, m->not_utf8);
		json_key(j, "score");
		json_double(j, m->score);
		json_end_object(j);
	}
	json_end_array(j);
	json_end_object(j);
	if (w->format == MATCH_JSONL)
		buf_puts(&j->out, "\n");
}

/* ---- Matrices ---------------------------------------------------------- */

/* Adds the line with the names of the columns; its first field is empty. */
static void
put_columns(struct match_writer *w, const struct search *s)
{
	const char *p = s->ids.p, *end = p + s->ids.n;
	struct buf *b = &w->json.out;
	size_t n;

	for (; p != end; p += n) {
		memcpy(&n, p, sizeof(n));
		p += sizeof(n);
		buf_puts(b, separator(w));
		put_field(w, p, n);
	}
	buf_puts(b, "\n");
}

static void
put_matrix_row(struct match_writer *w, const struct query *q)
{
	const double *score = (const void *)q->scores.p;
	struct buf *b = &w->json.out;

	put_field(w, q->id, q->id_n);
	for (size_t i = 0; i < q->scores.n / sizeof(*score); i++) {
		buf_puts(b, separator(w));
		put_score(b, score[i]);
	}
	buf_puts(b, "\n");
}

static struct npu_tensor
tensor(uint64_t rows, uint64_t columns)
{
	struct npu_tensor t = { .dtype = NPU_F32, .ndim = 2, .scale = 1 };

	if (rows > UINT32_MAX || columns > UINT32_MAX)
		cmd_die("a matrix of %llu by %llu is too large",
		    (unsigned long long)rows, (unsigned long long)columns);
	t.dim[0] = (uint32_t)rows;
	t.dim[1] = (uint32_t)columns;
	t.size = rows * columns * sizeof(float);
	return t;
}

/* Writes a query's scores as f32: to the output or, for .npy, to w->rows. */
static void
put_floats(struct match_writer *w, const struct query *q)
{
	const double *score = (const void *)q->scores.p;
	struct npu_label l = { .count = 1 };
	float x;

	w->columns = q->scores.n / sizeof(*score);
	if (w->columns == 0)
		return;		/* a tensor cannot be empty */
	l.tensor = tensor(1, w->columns);
	if (w->format == MATCH_LABEL)
		stream_put_label(&w->out, &l);
	for (size_t i = 0; i < w->columns; i++) {
		x = (float)score[i];
		if (w->format == MATCH_LABEL)
			cmd_write(&w->out, &x, sizeof(x));
		else
			buf_add(&w->rows, &x, sizeof(x));
	}
}

static void
put_npy(struct match_writer *w)
{
	struct npu_tensor t;
	struct npu_err err;
	struct buf head = { 0 };

	if (w->rows.n == 0)
		return;
	t = tensor(w->queries, w->columns);
	if (npy_encode(&t, &head, &err) < 0)
		cmd_die("output: %s", err.msg);
	cmd_write_buf(&w->out, &head);
	cmd_write_buf(&w->out, &w->rows);
}

/* ---- Queries ----------------------------------------------------------- */

void
match_writer_put(struct match_writer *w, const struct search *s)
{
	const bool table = w->format == MATCH_TSV || w->format == MATCH_CSV;

	if (s->o.matrix && table && w->queries == 0)
		put_columns(w, s);
	for (size_t i = 0; i < s->n; i++) {
		const struct query *q = &s->query[i];

		w->queries++;
		w->found += q->top.n;
		if (w->format == MATCH_JSON || w->format == MATCH_JSONL)
			put_object(w, q);
		else if (!s->o.matrix && w->format == MATCH_CSV)
			put_csv(w, q);
		else if (!s->o.matrix)
			put_table(w, q);
		else if (table)
			put_matrix_row(w, q);
		else
			put_floats(w, q);
		if (w->format != MATCH_JSON) {
			write_out(w);
			cmd_mark_record(&w->out);
		}
	}
	cmd_end_record(&w->out);
}

void
match_writer_abandon(struct match_writer *w)
{
	struct json *j = &w->json;

	if (w->format != MATCH_JSON || w->closing || j->out.failed ||
	    !json_ends_failed()) {
		cmd_abandon_output(&w->out);
		return;
	}
	json_end_array(j);
	json_exit_error(j);
	json_end_object(j);
	buf_puts(&j->out, "\n");
	w->closing = true;
	write_out(w);
	cmd_close_output(&w->out);
}

void
match_writer_close(struct match_writer *w)
{
	w->closing = true;
	if (w->format == MATCH_JSON) {
		json_end_array(&w->json);
		json_end_object(&w->json);
		buf_puts(&w->json.out, "\n");
	}
	write_out(w);
	if (w->format == MATCH_NPY)
		put_npy(w);
	cmd_close_output(&w->out);
	json_free(&w->json);
}
