/* SPDX-License-Identifier: Apache-2.0 */
/* vec-nearest --plus and --minus: vectors that are added to each query. */
#ifndef VEC_NEAREST_ARITHMETIC_H
#define VEC_NEAREST_ARITHMETIC_H

#include "search.h"

struct arithmetic {
	uint32_t dim;		/* 0: nothing is added */
	double *sum;		/* of vectors of length 1; owned */
	float *x;		/* the query at hand; owned */
	const char *name;	/* of the first input, for messages */
};

/* Adds each vector of the file path, or subtracts it; dies of one without a
 * direction, or of another width or model. */
void arithmetic_read(struct arithmetic *a, struct search *s, const char *path,
    bool subtract);

/* The query that *row becomes, if it has a direction: valid until the next
 * call.  With an error of its own if nothing is left of it.  Dies of another
 * width. */
void arithmetic_apply(struct arithmetic *a, const char *name,
    struct vector *row);

void arithmetic_free(struct arithmetic *a);

#endif
