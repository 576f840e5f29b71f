// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"
#include "tensor/cosine.h"

/* ---- What can be compared ---------------------------------------------- */

static const char *
reason(double square)
{
	if (isfinite(square) && square > 0)
		return NULL;
	return square == 0 ? "it is zero and has no direction" :
	    "it has an element that is no finite number";
}

/* Told, if it was not before, and left out with keep_going. */
static void
leave_out(struct nearest *s, const char *name, const struct vector *row,
    const char *why, bool tell)
{
	if (!s->keep_going)
		cmd_die("%s: vector %s: %s", name, vector_name(row), why);
	if (tell)
		cmd_warn("%s: vector %s: %s", name, vector_name(row), why);
	s->failed = true;
}

/* Vectors of a kind are all of one model; those of another kind may be of its
 * other half, as CLIP has two. */
bool
nearest_same_space(const struct nearest *s, const struct vector *row)
{
	const struct space *space = &s->space[row->kind];

	return row->kind == INDEX_ANY || row->model_sha256 == NULL ||
	    space->whose == NULL || memcmp(space->model_sha256,
	    row->model_sha256, INDEX_SHA256) == 0;
}

static void
check_space(struct nearest *s, const char *name, const struct vector *row)
{
	struct space *space = &s->space[row->kind];
	char one[65], other[65];

	if (row->kind == INDEX_ANY || row->model_sha256 == NULL)
		return;
	if (space->whose == NULL) {
		space->whose = name;
		memcpy(space->model_sha256, row->model_sha256, INDEX_SHA256);
	}
	if (nearest_same_space(s, row))
		return;
	index_hex(row->model_sha256, one);
	index_hex(space->model_sha256, other);
	cmd_die("%s: vector %s: %s vector by model %s, but %s has them by "
	    "model %s; their cosine means nothing", name, vector_name(row),
	    row->kind == INDEX_TEXT ? "a text's" : "a picture's", one,
	    space->whose, other);
}

static void
check_width(struct nearest *s, const struct vector *row)
{
	if (s->dim != row->dim)
		cmd_die("%s: vectors of %u numbers, those of %s have %u: they "
		    "cannot be compared", s->base->name, row->dim, s->queries,
		    s->dim);
}

/* ---- Queries ----------------------------------------------------------- */

static void
room(struct nearest *s, uint32_t dim)
{
	if (s->dim == 0)
		s->q = cmd_alloc(NEAREST_BLOCK * cosine_padded(dim) *
		    sizeof(*s->q));
	s->dim = dim;
}

const char *
nearest_query(struct nearest *s, const struct vector *row)
{
	struct query *q = &s->query[s->n];
	const char *why = row->error;

	check_space(s, s->queries, row);
	if (row->x != NULL) {
		room(s, row->dim);
		q->square = cosine_query(row->x, row->dim, s->q + s->n *
		    cosine_padded(row->dim));
		why = reason(q->square);
	}
	if (why != NULL && !s->keep_going)
		return why;
	q->error = NULL;
	if (why != NULL) {
		/* With --id it is one of the base, whose pass tells of it. */
		leave_out(s, s->queries, row, why,
		    s->queries != s->base->name);
		/* It is computed with the others, but not looked at. */
		q->error = cmd_alloc(strlen(why) + 1);
		strcpy(q->error, why);
	}
	q->id = cmd_alloc(row->id_n + 1);
	memcpy(q->id, row->id, row->id_n);
	q->id_n = row->id_n;
	q->not_utf8 = row->not_utf8;
	s->n++;
	return NULL;
}

void
nearest_clear(struct nearest *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct query *q = &s->query[i];

		free(q->id);
		free(q->error);
		q->id = q->error = NULL;
		top_clear(&q->top);
		buf_clear(&q->scores);
	}
	s->n = 0;
}

void
nearest_free(struct nearest *s)
{
	nearest_clear(s);
	for (size_t i = 0; i < NEAREST_BLOCK; i++) {
		top_free(&s->query[i].top);
		buf_free(&s->query[i].scores);
	}
	free(s->q);
	buf_free(&s->ids);
}

/* ---- The base ---------------------------------------------------------- */

/* Whether the score is surely less than all of the best, which is told sooner
 * than what it is.  Both sides are exact to 1e-15 of themselves: squares of
 * floats and their sums are far from both ends of binary64. */
static bool
hopeless(const struct query *q, double dot, double square, size_t most)
{
	double worst = q->top.n < most ? 0 : q->top.match[0].score;

	return worst > 1e-100 && (dot <= 0 || dot * dot <
	    worst * worst * q->square * square * (1 - 1e-12));
}

/* A row with these products, or NAN in a matrix. */
static void
take_scores(struct nearest *s, const struct vector *row, const double *dot,
    double square, size_t most)
{
	struct match m = { .number = row->number, .id = (char *)row->id,
	    .id_n = row->id_n, .not_utf8 = row->not_utf8 };

	for (size_t i = 0; i < s->n; i++) {
		struct query *q = &s->query[i];

		if (!s->matrix && dot != NULL &&
		    hopeless(q, dot[i], square, most))
			continue;
		m.score = NAN;
		if (q->error == NULL && dot != NULL)
			m.score = cosine(dot[i], q->square, square);
		if (s->matrix)
			buf_add(&q->scores, &m.score, sizeof(m.score));
		else if (m.score >= s->least || (!s->has_least &&
		    !isnan(m.score)))
			top_add(&q->top, &m, most);
	}
}

/* Its products with all queries; why there are none, or NULL. */
static const char *
compute(struct nearest *s, const struct vector *row, double *dot,
    double *square)
{
	if (row->x == NULL || s->dim == 0)
		return row->error;
	check_width(s, row);
	cosine_dots(row->x, s->dim, s->q, s->n, dot, square);
	return reason(*square);
}

static void
take_row(struct nearest *s, const struct vector *row)
{
	double dot[NEAREST_BLOCK] = { 0 }, square = 0;
	const char *why;

	check_space(s, s->base->name, row);
	why = compute(s, row, dot, &square);
	if (why != NULL)
		leave_out(s, s->base->name, row, why, row->x == NULL ?
		    s->passes == 1 : s->measured == 1);
	if (s->matrix && s->passes == 1) {
		buf_add(&s->ids, &row->id_n, sizeof(row->id_n));
		buf_add(&s->ids, row->id, row->id_n);
	}
	take_scores(s, row, why == NULL && s->dim != 0 ? dot : NULL, square,
	    s->most);
}

/* ---- A pass before it is known which vectors count ---------------------- */

/* So many queries make no more work than waiting for memory does.  With more
 * of them it would only hold up those who add to the index. */
enum { EARLY_QUERIES = 4 };

/* More than are wanted, for some will not count. */
static size_t
wanted_early(const struct nearest *s)
{
	return s->most < SIZE_MAX / 4 ? 2 * s->most + 32 : SIZE_MAX;
}

/* All that there is, if nothing has to be said of any vector: that may be one
 * that does not count, and has another number. */
static bool
take_early(struct nearest *s)
{
	double dot[NEAREST_BLOCK] = { 0 }, square = 0;
	struct vector row;
	int rc;

	while ((rc = vector_reader_next(s->base, &row, NULL)) > 0) {
		if (row.dim != s->dim || !nearest_same_space(s, &row))
			return false;
		check_space(s, s->base->name, &row);
		if (compute(s, &row, dot, &square) != NULL)
			return false;
		take_scores(s, &row, dot, square, wanted_early(s));
	}
	return rc == 0;
}

/* Those that count; false if others may have kept one of them out. */
static bool
strike_out(struct nearest *s, struct top *t)
{
	bool full = t->n == wanted_early(s);

	for (size_t i = t->n; i-- > 0;)
		if (!vector_reader_is_current(s->base, t->match[i].number))
			top_remove(t, i);
	return !full || t->n >= s->most;
}

static bool
search_early(struct nearest *s)
{
	bool known = s->n <= EARLY_QUERIES && !s->matrix && s->dim != 0 &&
	    take_early(s);

	for (size_t i = 0; i < s->n && known; i++)
		known = strike_out(s, &s->query[i].top);
	for (size_t i = 0; i < s->n && !known; i++)
		top_clear(&s->query[i].top);
	vector_reader_end_scan(s->base);
	return known;
}

/* ---- ------------------------------------------------------------------- */

static void
search(struct nearest *s)
{
	struct vector row;
	struct npu_err err;
	int rc;

	while ((rc = vector_reader_next(s->base, &row, &err)) > 0)
		take_row(s, &row);
	if (rc < 0)
		cmd_die_err(s->base->name, &err);
}

void
nearest_search(struct nearest *s)
{
	if (s->passes++ > 0)
		vector_reader_rewind(s->base);
	s->measured += s->dim != 0;
	if (!s->base->scanning || !search_early(s))
		search(s);
	for (size_t i = 0; i < s->n; i++) {
		top_sort(&s->query[i].top, s->most);
		if (s->query[i].scores.failed || s->ids.failed)
			cmd_die("out of memory");
	}
}
