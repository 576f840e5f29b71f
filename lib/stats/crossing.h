/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a part that grows with x becomes larger than it may be: of how many
 * inferences are late, by the logarithm of their rate.
 *
 * Each point is k of n things counted at x.  The part is a logistic function of
 * x with two unknowns, where it crosses and how steeply; near the crossing any
 * smooth growth is one.  Things of a point need not be independent of each
 * other, as those that wait in one queue are not, but points must be: by how
 * much they lie farther from the function than independent things would is the
 * dispersion (quasi-likelihood: Wedderburn 1974).  The interval is of the
 * profile likelihood, by Student's t of so many points.
 */
#ifndef STATS_CROSSING_H
#define STATS_CROSSING_H

#include <stdbool.h>
#include <stddef.h>

enum { CROSSING_LEAST = 4 };	/* points, without which none is known */

struct crossing_point {
	double x, n, k;
};

struct crossing {
	double x;
	double low, high;	/* infinite: not known on that side */
	double slope;		/* of the logit, by x */
	double dispersion;	/* 1 and more; 1: all are independent */
};

/*
 * Where the part is crossed, 0 < part < 1; the interval holds it with the
 * confidence.  Returns false, and changes nothing, for fewer than
 * CROSSING_LEAST points.
 */
bool crossing_of(const struct crossing_point *p, size_t n, double part,
    double confidence, struct crossing *c);

#endif
