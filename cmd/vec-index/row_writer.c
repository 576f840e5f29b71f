// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "delimited.h"
#include "json_error.h"
#include "row_writer.h"
#include "vectors/npy_matrix.h"

#define SCHEMA "vec-index/1"

/* Writes the bytes in w->json.out, and empties it. */
static void
write_out(struct row_writer *w)
{
	struct buf *b = &w->json.out;

	cmd_check_buf(b);
	cmd_write(&w->out, b->p, b->n);
	cmd_end_record(&w->out);
	buf_clear(b);
}

/* ---- Lists ------------------------------------------------------------- */

/* Returns the state of a vector's input.  A picture without a path was read
 * from a pipe, or an earlier version of clip-embed added it. */
static const char *
state(const struct row_writer *w, const struct index_row *row)
{
	if (row->path != NULL)
		return index_row_gone(row) ? "gone" : "file";
	return w->header->kind == INDEX_TEXT ? "text" : "unknown";
}

static void
put_text(struct row_writer *w, const struct index_row *row)
{
	struct buf *b = &w->json.out;

	buf_printf(b, "%-7s  ", state(w, row));
	tsv_bytes(b, row->id, row->n);
	buf_puts(b, "\n");
}

static void
put_names(struct json *j, const struct index_row *row)
{
	json_key(j, "id"), json_strn(j, row->id, row->n);
	json_key(j, "path");
	if (row->path != NULL)
		json_strn(j, row->path, row->path_n);
	else
		json_null(j);
}

/* Adds the members that describe all vectors of the index. */
static void
put_made(struct json *j, const struct index_header *h)
{
	char hex[65] = "";

	if (index_is_known(h->model_sha256))
		index_hex(h->model_sha256, hex);
	json_member_str(j, "kind", index_kind_name(h->kind));
	json_member_str(j, "model", h->model);
	json_member_str(j, "model_sha256", hex);
	json_member_str(j, "preprocessing", h->preprocessing);
	json_member_str(j, "norm", index_norm_name(h->norm));
	json_member_uint(j, "dim", h->dim);
}

static void
put_object(struct row_writer *w, const struct index_row *row)
{
	struct json *j = &w->json;
	char hex[65];

	index_hex(row->sha256, hex);
	if (w->form == ROW_JSONL)
		j->comma = false;
	json_object(j);
	if (w->form == ROW_JSONL)
		json_member_str(j, "schema", SCHEMA);
	put_names(j, row);
	json_member_str(j, "state", state(w, row));
	json_member_str(j, "content", hex);
	json_end_object(j);
	if (w->form == ROW_JSONL)
		buf_puts(&j->out, "\n");
}

/* Adds a field of CSV.  Dies if it contains a NUL, which CSV cannot express:
 * readers would end the name there. */
static void
put_field(struct row_writer *w, const char *p, size_t n)
{
	char *s = cmd_text("%.*s", (int)n, p);

	if (strlen(s) < n)
		cmd_die("%s: vector '%s...': CSV cannot hold the NUL in its "
		    "name; %s can", w->index, s, w->form == ROW_TABLE ?
		    "--format=jsonl" : "--export=jsonl");
	csv_text(&w->json.out, s);
	free(s);
}

static void
put_name(struct row_writer *w, const char *p, size_t n)
{
	if (w->form == ROW_TSV)
		tsv_bytes(&w->json.out, p, n);
	else
		put_field(w, p, n);
}

static void
put_columns(struct row_writer *w, const struct index_row *row)
{
	const char separator = w->form == ROW_TSV ? '\t' : ',';
	struct buf *b = &w->json.out;
	char hex[65];

	index_hex(row->sha256, hex);
	buf_printf(b, "%s%c", state(w, row), separator);
	put_name(w, row->id, row->n);
	buf_printf(b, "%c", separator);
	put_name(w, row->path != NULL ? row->path : "", row->path_n);
	buf_printf(b, "%c%s\n", separator, hex);
}

/* ---- Vectors ----------------------------------------------------------- */

/* Adds a line of JSON with the vector, in the format of clip-embed. */
static void
put_line(struct row_writer *w, const struct index_row *row)
{
	struct json *j = &w->json;

	j->comma = false;
	json_object(j);
	json_member_str(j, "schema", "clip-embed/1");
	put_names(j, row);
	put_made(j, w->header);
	json_key(j, "vector"), json_array(j);
	for (uint32_t i = 0; i < w->header->dim; i++)
		json_float(j, row->x[i]);
	json_end_array(j);
	json_end_object(j);
	buf_puts(&j->out, "\n");
}

static void
put_csv(struct row_writer *w, const struct index_row *row)
{
	struct buf *b = &w->json.out;
	char number[40];

	put_field(w, row->id, row->n);
	buf_puts(b, ",");
	put_field(w, row->path != NULL ? row->path : "", row->path_n);
	for (uint32_t i = 0; i < w->header->dim; i++) {
		num_format_float(row->x[i], number, sizeof(number));
		buf_printf(b, ",%s", number);
	}
	buf_puts(b, "\n");
}

/* ---- Start and end ----------------------------------------------------- */

static void
begin_csv(struct row_writer *w)
{
	struct buf *b = &w->json.out;

	buf_puts(b, "id,path");
	for (uint32_t i = 0; w->header != NULL && i < w->header->dim; i++)
		buf_printf(b, ",x%" PRIu32, i + 1);
	buf_puts(b, "\n");
}

static void
begin_json(struct row_writer *w)
{
	w->json.pretty = true;
	json_object(&w->json);
	json_member_str(&w->json, "schema", SCHEMA);
	if (w->header != NULL)
		put_made(&w->json, w->header);
	json_key(&w->json, "vectors");
	json_array(&w->json);
}

void
row_writer_open(struct row_writer *w)
{
	cmd_open_output(&w->out, w->path, w->form == ROW_NPY);
	if (w->form == ROW_CSV)
		begin_csv(w);
	else if (w->form == ROW_TABLE)
		buf_puts(&w->json.out, "state,id,path,content\n");
	else if (w->form == ROW_NPY)
		npy_matrix_begin(&w->json.out, w->rows,
		    w->header != NULL ? w->header->dim : 0);
	else if (w->form == ROW_JSON)
		begin_json(w);
}

void
row_writer_put(struct row_writer *w, const struct index_row *row)
{
	switch (w->form) {
	case ROW_TEXT: put_text(w, row); break;
	case ROW_TSV:
	case ROW_TABLE: put_columns(w, row); break;
	case ROW_JSON:
	case ROW_JSONL: put_object(w, row); break;
	case ROW_LINES: put_line(w, row); break;
	case ROW_CSV: put_csv(w, row); break;
	case ROW_NPY: buf_add(&w->json.out, row->x, w->header->dim *
	    sizeof(*row->x)); break;
	}
	write_out(w);
}

void
row_writer_close(struct row_writer *w, const char *error)
{
	if (w->form == ROW_JSON) {
		json_end_array(&w->json);
		if (error != NULL)
			json_error(&w->json, error, EXIT_FAILED);
		json_end_object(&w->json);
		buf_puts(&w->json.out, "\n");
	}
	write_out(w);
	cmd_close_output(&w->out);
	json_free(&w->json);
}
