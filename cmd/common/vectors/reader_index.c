// SPDX-License-Identifier: Apache-2.0
/* vectors_index.c - vectors of an index. */
#include <string.h>

#include "reader_impl.h"

/* What the header says of every vector. */
static struct vector
common(const struct index_header *h)
{
	static const uint8_t zeros[INDEX_SHA256];
	const bool known = memcmp(h->model_sha256, zeros, sizeof(zeros)) != 0;

	return (struct vector){ .dim = h->dim, .kind = h->kind,
	    .model_sha256 = known ? h->model_sha256 : NULL,
	    .model = h->model, .preprocessing = h->preprocessing,
	    .has_norm = true, .norm = h->norm };
}

/* It maps a file itself, while no writer cuts it. */
void
vectors_open_index(struct vectors *v, bool once)
{
	struct npu_err err;
	int rc;

	v->early = once && vectors_file_size(v) > 0;
	if (v->early) {
		rc = index_scan_fd(&v->index, v->s.fd, &err);
	} else if (vectors_file_size(v) > 0) {
		rc = index_map_fd(&v->index, v->s.fd, &err);
	} else {
		vectors_hold(v);
		rc = index_map_bytes(&v->index, v->file.p, v->file.n, &err);
	}
	if (rc < 0)
		cmd_die_err(v->name, &err);
	v->dim = index_map_header(v->index)->dim;
	v->like = common(index_map_header(v->index));
}

int
vectors_next_of_index(struct vectors *v, struct vector *row,
    struct npu_err *err)
{
	struct index_row r;
	int rc;

	if (!v->early && v->number == index_rows(v->index))
		return 0;
	rc = v->early ? index_scan_next(v->index, &r, err) :
	    index_row(v->index, v->number, &r, err);
	if (rc < 0 || (rc == 0 && v->early))
		return rc;
	*row = v->like;
	row->id = r.id;
	row->id_n = r.n;
	row->x = r.x;
	row->content = r.sha256;
	return 1;
}

bool
vectors_counts(const struct vectors *v, uint64_t number)
{
	return index_scan_counts(v->index, number - 1);
}

void
vectors_settle(struct vectors *v)
{
	struct npu_err err;

	if (!v->early)
		return;
	if (index_scan_end(v->index, &err) < 0)
		cmd_die_err(v->name, &err);
	v->early = false;
	v->number = 0;
}
