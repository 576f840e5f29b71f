// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "embedding_writer.h"
#include "vectors/npy_matrix.h"

static const char *const norms[] = { "none", "l2" };

void
embedding_writer_open(struct embedding_writer *w)
{
	if (w->format == REAL_UNSET)
		w->format = w->output == NULL && isatty(STDOUT_FILENO) ?
		    REAL_JSONL : REAL_LABEL;
	if (w->ids != NULL && w->format == REAL_JSONL)
		cmd_usage("--write-ids is for formats without ids; each JSON "
		    "line has its own");
	cmd_claim_stdout();
	cmd_open_output(&w->out, w->output, w->format < REAL_JSONL);
	if (w->ids != NULL)
		cmd_open_output(&w->ids_out, w->ids, false);
	if (w->about != NULL)
		cmd_open_output(&w->about_out, w->about, false);
	/* Flush each vector even to a file: vectors must survive a later
	 * failure. */
	w->out.record_flush = true;
	w->values = (struct real_writer){ .o = &w->out, .format = w->format };
}

void
embedding_writer_width(struct embedding_writer *w, size_t dim)
{
	if (w->dim == dim)
		return;
	w->dim = dim;
	free(w->nan);
	w->nan = cmd_alloc(dim * sizeof(*w->nan));
	for (size_t i = 0; i < dim; i++)
		w->nan[i] = NAN;
}

/* ---- Rows -------------------------------------------------------------- */

/* Adds the members that describe how a vector was computed. */
static void
put_made(const struct embedding_writer *w, struct json *j,
    const struct clip *by)
{
	json_member_str(j, "model", by->name);
	json_member_str(j, "model_sha256", by->sha256);
	json_member_str(j, "preprocessing", by->preprocessing.p);
	json_member_str(j, "norm", norms[w->normalise]);
	json_member_uint(j, "dim", by->dim);
}

static void
put_json(struct embedding_writer *w, const struct embedding *v)
{
	struct json *j = &w->json;

	buf_clear(&j->out);
	j->comma = false;
	json_object(j);
	json_member_str(j, "schema", "clip-embed/1");
	json_key(j, "id"), json_strn(j, v->id, v->id_n);
	json_member_str(j, "kind", v->by->kind);
	if (v->error != NULL) {
		json_member_str(j, "error", v->error);
	} else {
		put_made(w, j, v->by);
		json_key(j, "length"), json_float(j, (float)v->length);
		json_key(j, "vector"), json_array(j);
		for (size_t i = 0; i < w->dim; i++)
			json_float(j, v->x[i]);
		json_end_array(j);
	}
	json_end_object(j);
	buf_puts(&j->out, "\n");
	if (j->out.failed)
		cmd_die("out of memory");
	cmd_write(&w->out, j->out.p, j->out.n);
}

/* Keeps the shape of the model's output, as npu-dequant does, if it describes
 * one vector: [D] or [1,D].  Otherwise, sets it to [1,D]. */
static void
set_shape(struct npu_tensor *t, size_t dim)
{
	if (t->ndim <= 1 || (t->ndim == 2 && t->dim[0] == 1))
		return;
	memset(t->dim, 0, sizeof(t->dim));
	t->ndim = 2;
	t->dim[0] = 1;
	t->dim[1] = (uint32_t)dim;
}

static void
put_values(struct embedding_writer *w, const struct embedding *v,
    const float *x)
{
	struct npu_label l = { .count = 1, .tensor = v->by->out };

	l.tensor.dtype = NPU_F32;
	l.tensor.scale = 1;
	l.tensor.zero_point = 0;
	l.tensor.size = w->dim * sizeof(*x);
	set_shape(&l.tensor, w->dim);
	real_writer_begin(&w->values, &l, 1);
	real_writer_put(&w->values, x, w->dim);
	real_writer_end(&w->values);
}

static void
put_id(struct embedding_writer *w, const struct embedding *v)
{
	char end = w->null ? '\0' : '\n';

	if (!w->null && memchr(v->id, '\n', v->id_n) != NULL)
		cmd_die("%s: the name '%.*s' contains a newline; use -0, which "
		    "ends ids with NUL", w->ids,
		    (int)v->id_n, v->id);
	cmd_write(&w->ids_out, v->id, v->id_n);
	cmd_write(&w->ids_out, &end, 1);
	cmd_end_record(&w->ids_out);
}

void
embedding_writer_put(struct embedding_writer *w, const struct embedding *v)
{
	const float *x = v->error == NULL ? v->x : w->nan;

	if (v->error != NULL && w->on_error == ON_ERROR_SKIP)
		return;
	/* Write the id first: each row in the output then has an id, even if
	 * the program is killed between the two writes. */
	if (w->ids != NULL)
		put_id(w, v);
	if (w->format == REAL_JSONL)
		put_json(w, v);
	else if (w->format != REAL_NPY)
		put_values(w, v, x);
	else
		buf_add(&w->matrix, x, w->dim * sizeof(*x));
	if (w->matrix.failed)
		cmd_die("out of memory for %llu vectors; --format=label and "
		    "--format=raw need none", (unsigned long long)w->rows);
	w->rows++;
	cmd_end_record(&w->out);
}

/* ---- Closing ----------------------------------------------------------- */

static void
put_matrix(struct embedding_writer *w)
{
	struct buf head = { 0 };

	npy_matrix_begin(&head, w->rows, w->dim);
	cmd_write_buf(&w->out, &head);
	cmd_write(&w->out, w->matrix.p, w->matrix.n);
	cmd_end_record(&w->out);
}

static void
free_all(struct embedding_writer *w)
{
	buf_free(&w->matrix);
	json_free(&w->json);
	json_free(&w->made);
	free(w->nan);
	w->nan = NULL;
}

void
embedding_writer_describe(struct embedding_writer *w, const struct clip *by)
{
	struct json *j = &w->made;

	j->comma = false;
	json_object(j);
	json_member_str(j, "schema", "clip-embed-about/1");
	json_member_str(j, "kind", by->kind);
	put_made(w, j, by);
	json_member_uint(j, "vectors", w->rows - w->described);
	json_end_object(j);
	buf_puts(&j->out, "\n");
	w->described = w->rows;
}

void
embedding_writer_close(struct embedding_writer *w)
{
	if (w->format == REAL_NPY)
		put_matrix(w);
	if (w->ids != NULL)
		cmd_close_output(&w->ids_out);
	if (w->about != NULL) {
		cmd_write_buf(&w->about_out, &w->made.out);
		cmd_close_output(&w->about_out);
	}
	cmd_close_output(&w->out);
	free_all(w);
}
