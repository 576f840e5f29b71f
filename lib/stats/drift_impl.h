/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by drift.c and drift_state.c. */
#ifndef STATS_DRIFT_IMPL_H
#define STATS_DRIFT_IMPL_H

#include "stats/drift.h"

enum { DRIFT_BEFORE = 2 };

/* The last elements of a sequence: the oldest is at (next - n) mod size. */
struct ring {
	size_t size, n, next;
};

struct drift_window {
	struct ring ring;
	float *unit;		/* vectors of length 1, dim apart */
	double limit;		/* limit in force when a vector was first unlike
				   it */
	size_t left;		/* vectors until its state is normal, or 0 */
};

struct drift {
	struct drift_options o;
	size_t dim;		/* 0: no vector yet */
	uint8_t model[DRIFT_MODEL];	/* 0: unknown */
	struct drift_window last;	/* the last vectors, even odd ones */
	struct drift_window usual;	/* vectors that were like each other */
	/* The state that was usual before, and the last normal state before
	 * that; each may be empty. */
	struct drift_window before[DRIFT_BEFORE];
	float *unit;		/* the vectors of all windows */
	size_t away;		/* vectors since the last usual one */
	struct ring similarities;
	double *similarity;
	double *scratch;	/* room for history similarities */
	double *cosine;		/* cosines of the current vector with a
				   window */
	float *x;		/* the current vector, of length 1 */
};

/* Returns the index of the i-th oldest element. */
static inline size_t
ring_at(const struct ring *r, size_t i)
{
	return (r->next + r->size - r->n + i) % r->size;
}

/* Makes room for a new element, which is now the newest; returns its index. */
static inline size_t
ring_push(struct ring *r)
{
	size_t at = r->next;

	r->next = (r->next + 1) % r->size;
	r->n += r->n < r->size;
	return at;
}

static inline const float *
window_at(const struct drift *d, const struct drift_window *w, size_t i)
{
	return w->unit + ring_at(&w->ring, i) * d->dim;
}

/* Adds a vector of length 1. */
void drift_push(const struct drift *d, struct drift_window *w, const float *x);
void drift_copy(const struct drift *d, struct drift_window *to,
    const struct drift_window *from);

/* Returns the limit that the history gives the next vector, or NAN. */
double drift_limit(const struct drift *d);

/* Allocates memory for vectors of dim elements. */
int drift_set_dim(struct drift *d, size_t dim, struct npu_err *err);

#endif
