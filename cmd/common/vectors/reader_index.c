// SPDX-License-Identifier: Apache-2.0
/* reader_index.c - reads vectors from an index. */
#include "reader_impl.h"

/* Returns a vector with the values that the header states for all vectors. */
static struct vector
common(const struct index_header *h)
{
	const bool known = index_is_known(h->model_sha256);

	return (struct vector){ .dim = h->dim, .kind = h->kind,
	    .model_sha256 = known ? h->model_sha256 : NULL,
	    .model = h->model, .preprocessing = h->preprocessing,
	    .has_norm = true, .norm = h->norm };
}

/* lib/store maps a file itself, while a writer cannot shorten it. */
void
vector_reader_open_index(struct vector_reader *v, bool once)
{
	struct npu_err err;
	int rc;

	v->scanning = once && vector_reader_file_size(v) > 0;
	if (v->scanning) {
		rc = index_scan_fd(&v->index, v->s.fd, &err);
	} else if (vector_reader_file_size(v) > 0) {
		rc = index_map_fd(&v->index, v->s.fd, &err);
	} else {
		vector_reader_load(v);
		rc = index_map_bytes(&v->index, v->file.p, v->file.n, &err);
	}
	if (rc < 0)
		cmd_die_err(v->name, &err);
	v->dim = index_map_header(v->index)->dim;
	v->like = common(index_map_header(v->index));
}

int
vector_reader_next_of_index(struct vector_reader *v, struct vector *row,
    struct npu_err *err)
{
	struct index_row r;
	int rc;

	if (!v->scanning && v->number == index_rows(v->index))
		return 0;
	rc = v->scanning ? index_scan_next(v->index, &r, err) :
	    index_row(v->index, v->number, &r, err);
	if (rc < 0 || (rc == 0 && v->scanning))
		return rc;
	*row = v->like;
	row->id = r.id;
	row->id_n = r.n;
	row->x = r.x;
	row->content = r.sha256;
	return 1;
}

bool
vector_reader_is_current(const struct vector_reader *v, uint64_t number)
{
	return index_scan_counts(v->index, number - 1);
}

void
vector_reader_end_scan(struct vector_reader *v)
{
	struct npu_err err;

	if (!v->scanning)
		return;
	if (index_scan_end(v->index, &err) < 0)
		cmd_die_err(v->name, &err);
	v->scanning = false;
	v->number = 0;
}
