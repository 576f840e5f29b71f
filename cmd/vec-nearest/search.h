/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares queries with all vectors of a base: finds the best matches of each
 * query, or computes all cosines.  Vectors that cannot be compared (another
 * width, another model of the same kind, no direction) are reported by name.
 */
#ifndef VEC_NEAREST_SEARCH_H
#define VEC_NEAREST_SEARCH_H

#include "vectors/reader.h"

/* The maximum number of queries in a block; they share a pass over the base. */
enum { SEARCH_BLOCK = 32 };

struct match {
	double score;
	uint64_t number;	/* position in the base, from 1 */
	char *id;		/* owned; id_n bytes */
	size_t id_n;
	bool not_utf8;		/* see struct vector */
};

/* The best matches so far: a heap with the worst match first, or a sorted list
 * after top_k_sort(). */
struct top_k {
	struct match *match;	/* the array and the names are owned */
	size_t n, cap;
};

/* Adds *m if it is among the best most matches; copies its name. */
void top_k_add(struct top_k *t, const struct match *m, size_t most);
/* Removes the i-th match.  After that, call only top_k_sort(). */
void top_k_remove(struct top_k *t, size_t i);
/* Sorts, the best match first, and removes all after the first most. */
void top_k_sort(struct top_k *t, size_t most);
void top_k_clear(struct top_k *t);
void top_k_free(struct top_k *t);

/* A query and its matches. */
struct query {
	char *id;		/* owned; id_n bytes */
	size_t id_n;
	uint64_t self;		/* number of the base's vector that it is, which
				   is not a match; 0: none */
	bool not_utf8;		/* see struct vector */
	double square;		/* sum of the squares of its numbers */
	char *error;		/* owned; why it cannot be used, or NULL */
	struct top_k top;
	struct buf scores;	/* matrix: a double per vector of the base */
};

/* The model that made the vectors of one kind. */
struct space {
	const char *whose;	/* first input with such vectors, or NULL */
	uint8_t model_sha256[INDEX_SHA256];
};

/* Ends the message about a vector that ends the program. */
#define SEARCH_HINT " (-k skips such vectors)"

struct search_options {
	size_t most;			/* matches for each query */
	bool has_least;
	double least;			/* minimum score */
	bool matrix, keep_going;
};

struct search {
	struct search_options o;
	struct vector_reader *base;
	const char *queries;		/* name of the queries' input */
	bool of_base;			/* the next queries are vectors of the
					   base: --id */
	bool failed;			/* a vector was reported and left out */
	uint64_t passes, measured;	/* over the base: all passes, and those
					   after the width was known */
	uint64_t compared;		/* vectors compared in all passes */
	struct space space[INDEX_IMAGE + 1];	/* for each kind */

	uint32_t dim;			/* width of the queries; 0: unknown */
	struct query query[SEARCH_BLOCK];
	size_t n;			/* queries in the current block */
	double *q;			/* their numbers (cosine.h); owned */
	struct buf ids;			/* matrix: names of the base's vectors;
					   a size_t before each is its length */
};

/* Returns true if *row may be compared with the vectors before it.  Otherwise,
 * search_add_query() would end the program. */
bool search_same_space(const struct search *s, const struct vector *row);
/* Dies if *row may not be compared with the vectors before it; remembers its
 * model.  name is the name of its input. */
void search_check_space(struct search *s, const char *name,
    const struct vector *row);
/*
 * Appends *row to the block and returns NULL.  If the vector does not have a
 * direction: with keep_going, it is reported and appended with its error; else
 * it is not appended, and the reason is returned.
 */
const char *search_add_query(struct search *s, const struct vector *row);
/* Compares the block with the base in one pass.  A second pass follows if the
 * first did not yet know which vectors of an index were replaced, and its
 * result is not certain. */
void search_run(struct search *s);
/* Empties the block. */
void search_clear_queries(struct search *s);
void search_free(struct search *s);

#endif
