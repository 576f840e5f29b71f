/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries against all vectors of a base: the best of each, or all cosines.
 * What cannot be compared (another width, another model of the same kind, no
 * direction) is told by name.
 */
#ifndef VEC_NEAREST_SEARCH_H
#define VEC_NEAREST_SEARCH_H

#include "vectors/reader.h"

/* Queries that share a pass over the base. */
enum { NEAREST_BLOCK = 32 };

struct match {
	double score;
	uint64_t number;	/* in the base, from 1 */
	char *id;		/* owned; id_n bytes */
	size_t id_n;
	bool not_utf8;		/* as a vector's */
};

/* The best so far, the worst of them first (a heap), until top_sort(). */
struct top {
	struct match *match;	/* owned, as are their names */
	size_t n, cap;
};

/* Whether the first is better: by score, then by the bytes of the name, then
 * by its place. */
bool match_better(const struct match *a, const struct match *b);
/* m, whose name is copied, if it is one of the best most. */
void top_add(struct top *t, const struct match *m, size_t most);
/* Without the i-th; then only top_sort() may follow. */
void top_remove(struct top *t, size_t i);
/* The best first, and no more than most. */
void top_sort(struct top *t, size_t most);
void top_clear(struct top *t);
void top_free(struct top *t);

/* A query, and what was found. */
struct query {
	char *id;		/* owned; id_n bytes */
	size_t id_n;
	bool not_utf8;		/* as a vector's */
	double square;		/* the sum of its squares */
	char *error;		/* owned; why it has no direction, or NULL */
	struct top top;
	struct buf scores;	/* matrix: a double for each of the base */
};

/* The model behind the vectors of one kind. */
struct space {
	const char *whose;	/* name of the first input that says; or NULL */
	uint8_t model_sha256[INDEX_SHA256];
};

struct nearest {
	struct vector_reader *base;
	const char *queries;		/* name of where they come from */
	size_t most;			/* matches of a query */
	bool has_least;
	double least;			/* score */
	bool matrix, keep_going;
	bool failed;			/* something was told and left out */
	uint64_t passes, measured;	/* all; those with a query's width */
	struct space space[INDEX_IMAGE + 1];

	uint32_t dim;			/* of the queries; 0: none yet */
	struct query query[NEAREST_BLOCK];
	size_t n;			/* of the block at hand */
	double *q;			/* their numbers, cosine.h; owned */
	struct buf ids;			/* matrix: the base's names, each with
					   a size_t before it */
};

/* Whether *row may be compared with those before it: nearest_query() ends the
 * program where not. */
bool nearest_same_space(const struct nearest *s, const struct vector *row);
/*
 * Puts *row behind those of the block.  Without keep_going a vector that has no
 * direction is not put there: the answer is why, and NULL when all is well.
 */
const char *nearest_query(struct nearest *s, const struct vector *row);
/* One pass over the base for all of the block; a second one if the first, over
 * an index whose replaced vectors were not yet known, does not say enough. */
void nearest_search(struct nearest *s);
/* The block is empty again. */
void nearest_clear(struct nearest *s);
void nearest_free(struct nearest *s);

#endif
