/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries against all vectors of a base: the best of each, or all cosines.
 * Vectors that cannot be compared (another width, another model of the same
 * kind, no direction) are reported by name.
 */
#ifndef VEC_NEAREST_SEARCH_H
#define VEC_NEAREST_SEARCH_H

#include "vectors/reader.h"

/* Queries that share a pass over the base. */
enum { SEARCH_BLOCK = 32 };

struct match {
	double score;
	uint64_t number;	/* in the base, from 1 */
	char *id;		/* owned; id_n bytes */
	size_t id_n;
	bool not_utf8;		/* as a vector's */
};

/* The best so far, the worst of them first (a heap), until top_k_sort(). */
struct top_k {
	struct match *match;	/* owned, as are their names */
	size_t n, cap;
};

/* m, whose name is copied, if it is one of the best most. */
void top_k_add(struct top_k *t, const struct match *m, size_t most);
/* Without the i-th; then only top_k_sort() may follow. */
void top_k_remove(struct top_k *t, size_t i);
/* The best first, and no more than most. */
void top_k_sort(struct top_k *t, size_t most);
void top_k_clear(struct top_k *t);
void top_k_free(struct top_k *t);

/* A query and its matches. */
struct query {
	char *id;		/* owned; id_n bytes */
	size_t id_n;
	bool not_utf8;		/* as a vector's */
	double square;		/* the sum of its squares */
	char *error;		/* owned; why it has no direction, or NULL */
	struct top_k top;
	struct buf scores;	/* matrix: a double for each of the base */
};

/* The model behind the vectors of one kind. */
struct space {
	const char *whose;	/* name of the first input with it; NULL */
	uint8_t model_sha256[INDEX_SHA256];
};

/* Behind the reason why a vector ends the program. */
#define SEARCH_HINT " (-k skips such vectors)"

struct search_options {
	size_t most;			/* matches of a query */
	bool has_least;
	double least;			/* score */
	bool matrix, keep_going;
};

struct search {
	struct search_options o;
	struct vector_reader *base;
	const char *queries;		/* name of where they come from */
	bool failed;			/* a vector was reported and left out */
	uint64_t passes, measured;	/* all; those with a query's width */
	uint64_t compared;		/* vectors of the base, in all */
	struct space space[INDEX_IMAGE + 1];

	uint32_t dim;			/* of the queries; 0: none yet */
	struct query query[SEARCH_BLOCK];
	size_t n;			/* of the block at hand */
	double *q;			/* their numbers, cosine.h; owned */
	struct buf ids;			/* matrix: the base's names, each with
					   a size_t before it */
};

/* Whether *row may be compared with those before it; if not,
 * search_add_query() ends the program. */
bool search_same_space(const struct search *s, const struct vector *row);
/* Dies if *row of the input name may not; also remembers its model. */
void search_check_space(struct search *s, const char *name,
    const struct vector *row);
/*
 * Appends *row to the block.  Without keep_going a vector that has no direction
 * is not appended: returns the reason, otherwise NULL.
 */
const char *search_add_query(struct search *s, const struct vector *row);
/* One pass over the base for the whole block; a second one if the first, over
 * an index whose replaced vectors were not yet known, does not suffice. */
void search_run(struct search *s);
/* Empties the block. */
void search_clear_queries(struct search *s);
void search_free(struct search *s);

#endif
