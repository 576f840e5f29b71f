/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges whether a program has become slower, from one metric of several runs
 * before and after a change.
 *
 * One number of each run is compared (a median of its samples, or its
 * throughput), not the samples, because the samples of a run share its clocks,
 * its temperature and its place in memory: a test that assumes independent
 * samples finds a difference between a program and itself.  Changes are
 * logarithms of ratios, positive if the metric became worse: a factor of two
 * and a factor of one half are equally far from no change.
 */
#ifndef STATS_GATE_H
#define STATS_GATE_H

#include <stdbool.h>
#include <stddef.h>

enum { GATE_LEAST = 3 };	/* fewest runs for a verdict */

struct gate_rule {
	double regress;		/* tolerated change: 0.05 is 5 % */
	double floor;		/* a difference too small to matter, in the
				   metric's unit; 0: any matters */
	unsigned metrics;	/* number of verdicts, at least 1: the rate of
				   errors is for all verdicts together */
	bool higher;		/* more is better: throughput */
};

/* In order of severity: a later verdict outweighs an earlier one. */
enum gate_verdict {
	GATE_PASS,		/* high <= limit, or surely below the floor */
	GATE_NONE,		/* too few runs, or too different runs */
	GATE_REGRESSION,	/* low > limit, and above the floor */
};

/* NAN: too few runs, or a run that is not a number above 0. */
struct gate_result {
	enum gate_verdict verdict;
	double change;		/* mean */
	double low, high;	/* one-sided bounds, 1 - 0.05 / metrics each */
	double limit;		/* ln(1 + regress) */
	double delta;		/* change, in the metric's unit */
	double df;		/* degrees of freedom of the bounds */
	bool higher;		/* as in the rule */
};

/* Returns the side of run i, from 0: 0 is A, 1 is B.  The order is A B B A,
 * which cancels drift. */
static inline int
gate_side(size_t i)
{
	return (i + 1) / 2 % 2;
}

/*
 * Compares n pairs of neighbouring runs: a[i] before, b[i] after the change.
 * Choose n before the first run, because every look at the result after a
 * further pair is another chance to be wrong.  If a change is exactly as large
 * as the limit, 5 of 100 trials of 5 pairs call it a regression, but 11 of 100
 * trials that continue up to 10 pairs, and 15 of 100 that look from 3 up to 10
 * pairs (simulated as in tests/unit/stats/gate.c).  A program without a change
 * is hardly ever called a regression.
 */
void gate_pairs(const double *a, const double *b, size_t n,
    const struct gate_rule *rule, struct gate_result *r);

/* Compares stored runs with new runs, by Welch's test. */
void gate_baseline(const double *stored, size_t n_stored, const double *fresh,
    size_t n_fresh, const struct gate_rule *rule, struct gate_result *r);

/*
 * The numbers of a verdict's line: "+6.1% (>= +4.4%, limit +5%)".  They are
 * fractions of the metric itself: a throughput that became worse is negative.
 */
struct gate_line {
	double change, bound, limit;
	bool at_least;		/* change is surely >= bound; else <= bound */
};
void gate_line_of(const struct gate_result *r, struct gate_line *line);

#endif
