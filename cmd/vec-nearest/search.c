// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "search.h"
#include "tensor/cosine.h"

/* ---- Comparable vectors ------------------------------------------------ */

static const char *
reason(double square)
{
	if (isfinite(square) && square > 0)
		return NULL;
	return square == 0 ? "it is zero and has no direction" :
	    "contains NaN or infinity";
}

/* Dies because of a bad vector or, with keep_going, leaves it out.  report is
 * true if the vector has not been reported yet: then a message is printed. */
static void
leave_out(struct search *s, const char *name, const struct vector *row,
    const char *why, bool report)
{
	if (!s->o.keep_going)
		cmd_die("%s: vector %s: %s" SEARCH_HINT, name,
		    vector_name(row), why);
	if (report)
		cmd_warn("%s: vector %s: %s", name, vector_name(row), why);
	s->failed = true;
}

/* Vectors of the same kind must come from the same model.  Vectors of different
 * kinds may come from different models: CLIP has an encoder for each kind. */
bool
search_same_space(const struct search *s, const struct vector *row)
{
	const struct space *space = &s->space[row->kind];

	return row->kind == INDEX_ANY || row->model_sha256 == NULL ||
	    space->whose == NULL || memcmp(space->model_sha256,
	    row->model_sha256, INDEX_SHA256) == 0;
}

void
search_check_space(struct search *s, const char *name,
    const struct vector *row)
{
	struct space *space = &s->space[row->kind];
	char one[65], other[65];

	if (row->kind == INDEX_ANY || row->model_sha256 == NULL)
		return;
	if (space->whose == NULL) {
		space->whose = name;
		memcpy(space->model_sha256, row->model_sha256, INDEX_SHA256);
	}
	if (search_same_space(s, row))
		return;
	index_hex(row->model_sha256, one);
	index_hex(space->model_sha256, other);
	cmd_die("%s: vector %s: %s vector of model %.12s, but %s has vectors "
	    "of model %.12s; their cosine has no meaning", name,
	    vector_name(row), row->kind == INDEX_TEXT ? "a text's" :
	    "a picture's", one, space->whose, other);
}

static void
check_width(struct search *s, const struct vector *row)
{
	if (s->dim != row->dim)
		cmd_die("%s: vectors of %u numbers cannot be compared "
		    "with vectors of %s, which have %u", s->base->name,
		    row->dim, s->queries, s->dim);
}

/* ---- Queries ----------------------------------------------------------- */

/* Sets the width, and allocates the queries' numbers on the first call. */
static void
set_width(struct search *s, uint32_t dim)
{
	if (s->dim == 0)
		s->q = cmd_alloc(SEARCH_BLOCK * cosine_padded(dim) *
		    sizeof(*s->q));
	s->dim = dim;
}

const char *
search_add_query(struct search *s, const struct vector *row)
{
	struct query *q = &s->query[s->n];
	const char *why = row->error;

	search_check_space(s, s->queries, row);
	if (row->x != NULL) {
		set_width(s, row->dim);
		q->square = cosine_query(row->x, row->dim, s->q + s->n *
		    cosine_padded(row->dim));
		if (why == NULL)
			why = reason(q->square);
	}
	if (why != NULL && !s->o.keep_going)
		return why;
	q->error = NULL;
	if (why != NULL) {
		/* A query of --id is a vector of the base: the pass over the
		 * base reports it. */
		leave_out(s, s->queries, row, why,
		    s->queries != s->base->name);
		/* Its products are computed as for other queries, but are not
		 * used. */
		q->error = cmd_alloc(strlen(why) + 1);
		strcpy(q->error, why);
	}
	q->id = cmd_alloc(row->id_n + 1);
	memcpy(q->id, row->id, row->id_n);
	q->id_n = row->id_n;
	q->not_utf8 = row->not_utf8;
	q->self = s->of_base ? row->number : 0;
	s->n++;
	return NULL;
}

void
search_clear_queries(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct query *q = &s->query[i];

		free(q->id);
		free(q->error);
		q->id = q->error = NULL;
		top_k_clear(&q->top);
		buf_clear(&q->scores);
	}
	s->n = 0;
}

void
search_free(struct search *s)
{
	search_clear_queries(s);
	for (size_t i = 0; i < SEARCH_BLOCK; i++) {
		top_k_free(&s->query[i].top);
		buf_free(&s->query[i].scores);
	}
	free(s->q);
	buf_free(&s->ids);
}

/* ---- The base ---------------------------------------------------------- */

/*
 * Returns true if the score is certainly less than all of the best scores.
 * This is faster than computing the score.  The factor 1 - 1e-12 covers
 * rounding: both sides have a relative error of at most 1e-15, since squares of
 * floats and their sums are far from the limits of binary64.
 */
static bool
cannot_enter(const struct query *q, double dot, double square, size_t most)
{
	double worst = q->top.n < most ? 0 : q->top.match[0].score;

	return worst > 1e-100 && (dot <= 0 || dot * dot <
	    worst * worst * q->square * square * (1 - 1e-12));
}

/* Adds a row's score to each query.  dot has the row's product with each query;
 * NULL: the row is bad, which is NAN in a matrix. */
static void
add_scores(struct search *s, const struct vector *row, const double *dot,
    double square, size_t most)
{
	struct match m = { .number = row->number, .id = (char *)row->id,
	    .id_n = row->id_n, .not_utf8 = row->not_utf8 };

	for (size_t i = 0; i < s->n; i++) {
		struct query *q = &s->query[i];

		if (!s->o.matrix && dot != NULL &&
		    cannot_enter(q, dot[i], square, most))
			continue;
		m.score = NAN;
		if (q->error == NULL && dot != NULL)
			m.score = cosine(dot[i], q->square, square);
		if (s->o.matrix)
			buf_add(&q->scores, &m.score, sizeof(m.score));
		else if (m.number == q->self)
			continue;
		else if (m.score >= s->o.least || (!s->o.has_least &&
		    !isnan(m.score)))
			top_k_add(&q->top, &m, most);
	}
}

/* Computes the products of row with all queries.  Returns NULL, or the reason
 * why the row cannot be compared. */
static const char *
compute(struct search *s, const struct vector *row, double *dot,
    double *square)
{
	if (row->x == NULL || s->dim == 0)
		return row->error;
	check_width(s, row);
	cosine_dots(row->x, s->dim, s->q, s->n, dot, square);
	return reason(*square);
}

static void
search_row(struct search *s, const struct vector *row)
{
	double dot[SEARCH_BLOCK] = { 0 }, square = 0;
	const char *why;

	search_check_space(s, s->base->name, row);
	why = compute(s, row, dot, &square);
	if (why != NULL)
		leave_out(s, s->base->name, row, why, row->x == NULL ?
		    s->passes == 1 : s->measured == 1);
	if (s->o.matrix && s->passes == 1) {
		buf_add(&s->ids, &row->id_n, sizeof(row->id_n));
		buf_add(&s->ids, row->id, row->id_n);
	}
	add_scores(s, row, why == NULL && s->dim != 0 ? dot : NULL, square,
	    s->o.most);
	progress_update(++s->compared);
}

/* ---- Searching while an index is scanned -------------------------------- */

/* In an index, a later record can replace an earlier one.  While the index is
 * scanned for such records (vector_reader.scanning), the vectors are compared
 * in the same pass, and matches that turn out to be replaced are dropped. */

/* Up to this number of queries, the scan waits for memory anyway.  More queries
 * would only delay the processes that add to the index. */
enum { EARLY_QUERIES = 4 };

/* Returns the number of matches to keep in this pass: more than the user wants,
 * because some may not be current. */
static size_t
wanted_early(const struct search *s)
{
	return s->o.most < SIZE_MAX / 4 ? 2 * s->o.most + 32 : SIZE_MAX;
}

/* Searches the whole base.  False if a vector would have to be reported: it may
 * have been replaced, and its number may differ, so the base must be searched
 * again without replaced vectors. */
static bool
search_all_early(struct search *s)
{
	double dot[SEARCH_BLOCK] = { 0 }, square = 0;
	struct vector row;
	int rc;

	while ((rc = vector_reader_next(s->base, &row, NULL)) > 0) {
		if (row.dim != s->dim || !search_same_space(s, &row))
			return false;
		search_check_space(s, s->base->name, &row);
		if (compute(s, &row, dot, &square) != NULL)
			return false;
		add_scores(s, &row, dot, square, wanted_early(s));
		progress_update(++s->compared);
	}
	return rc == 0;
}

/* Removes matches that are not current.  Returns false if too few matches may
 * be left, because the removed ones displaced current matches. */
static bool
drop_superseded(struct search *s, struct top_k *t)
{
	bool full = t->n == wanted_early(s);

	for (size_t i = t->n; i-- > 0;)
		if (!vector_reader_is_current(s->base, t->match[i].number))
			top_k_remove(t, i);
	return !full || t->n >= s->o.most;
}

static bool
search_early(struct search *s)
{
	bool known = s->n <= EARLY_QUERIES && !s->o.matrix && s->dim != 0 &&
	    search_all_early(s);

	for (size_t i = 0; i < s->n && known; i++)
		known = drop_superseded(s, &s->query[i].top);
	for (size_t i = 0; i < s->n && !known; i++)
		top_k_clear(&s->query[i].top);
	vector_reader_end_scan(s->base);
	return known;
}

/* ---- Searching --------------------------------------------------------- */

static void
search_base(struct search *s)
{
	struct vector row;
	struct npu_err err;
	int rc;

	while ((rc = vector_reader_next(s->base, &row, &err)) > 0)
		search_row(s, &row);
	if (rc < 0)
		cmd_die_err(s->base->name, &err);
}

void
search_run(struct search *s)
{
	if (s->passes++ > 0)
		vector_reader_rewind(s->base);
	s->measured += s->dim != 0;
	if (!s->base->scanning || !search_early(s))
		search_base(s);
	for (size_t i = 0; i < s->n; i++) {
		top_k_sort(&s->query[i].top, s->o.most);
		if (s->query[i].scores.failed || s->ids.failed)
			cmd_die("out of memory");
	}
}
