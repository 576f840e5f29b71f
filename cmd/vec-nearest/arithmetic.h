/* SPDX-License-Identifier: Apache-2.0 */
/* vec-nearest --plus and --minus: adds vectors to each query. */
#ifndef VEC_NEAREST_ARITHMETIC_H
#define VEC_NEAREST_ARITHMETIC_H

#include "search.h"

struct arithmetic {
	uint32_t dim;		/* 0: no vector was added */
	double *sum;		/* sum of the normalised vectors; owned */
	float *x;		/* the current query; owned */
	const char *name;	/* first input's name, for messages */
};

/* Adds each vector of the file path to the sum, or subtracts it.  Dies if a
 * vector does not have a direction, or has another width or model. */
void arithmetic_read(struct arithmetic *a, struct search *s, const char *path,
    bool subtract);

/*
 * Normalises the query *row, adds the sum, and normalises the result; the
 * numbers are valid until the next call.  A query without a direction is not
 * changed.  If the result is zero, sets row->error.  Dies if the query is of
 * another width.  name is the name of the queries, for messages.
 */
void arithmetic_apply(struct arithmetic *a, const char *name,
    struct vector *row);

void arithmetic_free(struct arithmetic *a);

#endif
