/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a program has become slower: a verdict on one metric of several runs
 * before and after a change.
 *
 * One number a run is compared (a median of its samples, its throughput), never
 * the samples, because those of a run share its clocks, its temperature and its
 * place in memory: a test that takes them for independent finds a difference
 * between a program and itself.  Changes are logarithms of ratios, positive
 * where the metric became worse, so that twice and half are equally far from no
 * change.
 */
#ifndef STATS_GATE_H
#define STATS_GATE_H

#include <stdbool.h>
#include <stddef.h>

enum { GATE_LEAST = 3 };	/* runs, without which there is no verdict */

struct gate_rule {
	double regress;		/* tolerated change: 0.05 is 5 % */
	double floor;		/* difference too small to matter, in the unit
				   of the metric; 0: none is */
	unsigned metrics;	/* number of verdicts, 1 and more: over all
				   of them together an error is as rare */
	bool higher;		/* more is better: throughput */
};

/* In the order in which one outweighs another. */
enum gate_verdict {
	GATE_PASS,		/* high <= limit, or surely below the floor */
	GATE_NONE,		/* too few runs, or too different ones */
	GATE_REGRESSION,	/* low > limit, and above the floor */
};

/* NAN: too few runs, or a run that is not a number above 0. */
struct gate_result {
	enum gate_verdict verdict;
	double change;		/* mean */
	double low, high;	/* one-sided bounds, 1 - 0.05 / metrics each */
	double limit;		/* ln(1 + regress) */
	double delta;		/* change, in the unit of the metric */
	double df;		/* degrees of freedom of the bounds */
	bool higher;		/* of the rule */
};

/* Side of run i, from 0: 0 is A, 1 is B; A B B A, so that drift cancels. */
static inline int
gate_side(size_t i)
{
	return (i + 1) / 2 % 2;
}

/*
 * n pairs of neighbouring runs: a[i] before, b[i] after the change.  Fix n
 * beforehand.  Looking again after each further pair gives more occasions to be
 * wrong: a change of just the limit is called a regression in 5 of 100 trials
 * of 5 pairs, but in 11 of those that go on up to 10, and in 15 from 3 up to 10
 * (simulated as in tests/unit/stats/gate.c); no change hardly ever is.
 */
void gate_pairs(const double *a, const double *b, size_t n,
    const struct gate_rule *rule, struct gate_result *r);

/* Stored runs against new ones, by Welch's test. */
void gate_baseline(const double *stored, size_t n_stored, const double *fresh,
    size_t n_fresh, const struct gate_rule *rule, struct gate_result *r);

/*
 * The numbers of a verdict's line: "+6.1% (>= +4.4%, limit +5%)", as fractions
 * of the metric itself, so that a throughput that became worse is negative.
 */
struct gate_line {
	double change, bound, limit;
	bool at_least;		/* change is surely >= bound; or else <= */
};
void gate_line_of(const struct gate_result *r, struct gate_line *line);

#endif
