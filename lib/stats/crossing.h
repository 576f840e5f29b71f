/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds where a proportion that grows with x exceeds a limit, such as the
 * proportion of inferences that are late, as a function of the logarithm of
 * their rate.
 *
 * Each point is k of n things counted at x.  The proportion (part) is a
 * logistic function of x with two unknowns: where it crosses the limit, and its
 * slope.  Near the crossing, any smooth growth is similar to a logistic
 * function.  The things of a point need not be independent of each other
 * (inferences that wait in the same queue are not), but the points must be
 * independent.  The dispersion is how much farther the points lie from the
 * function than points of independent things would (quasi-likelihood:
 * Wedderburn 1974).  The interval is from the profile likelihood, with
 * Student's t for this number of points.
 */
#ifndef STATS_CROSSING_H
#define STATS_CROSSING_H

#include <stdbool.h>
#include <stddef.h>

enum { CROSSING_LEAST = 4 };	/* fewest points for a result */

struct crossing_point {
	double x, n, k;
};

struct crossing {
	double x;
	double low, high;	/* infinite: unknown on that side */
	double slope;		/* slope of the logit by x */
	double dispersion;	/* at least 1; 1: all things are independent */
};

/*
 * Finds where the proportion is part, 0 < part < 1.  The interval contains this
 * x with the given confidence.  Returns false, and changes nothing, for fewer
 * than CROSSING_LEAST points.
 */
bool crossing_of(const struct crossing_point *p, size_t n, double part,
    double confidence, struct crossing *c);

#endif
