/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs arranged for comparing: which of one side belong to which of the other,
 * one number of each run, and what differs between them that should not.
 */
#ifndef NPU_BENCH_GATE_COMPARE_H
#define NPU_BENCH_GATE_COMPARE_H

#include "base/buf.h"
#include "baseline.h"

/* A model of a configuration, on one side: all of its runs. */
struct bench_subject {
	const struct bench_points *of;
	const struct bench_point *first;
	unsigned processes;	/* released together in its configuration */
};

/* b's runs that did not fail; what is said of the place is of the first. */
void compare_points(const struct bench *b, const struct bench_metrics *metrics,
    struct bench_points *points);

/* Those of a side of p (0: of runs without one), in the order in which they
 * first come; how many there are.  s has room for as many as p has points. */
size_t compare_subjects(const struct bench_points *p, char side,
    struct bench_subject *s);

/* How many items of the fingerprint differ; with out, each with both values. */
unsigned compare_fingerprints(const struct bench_subject *before,
    const struct bench_subject *after, struct buf *out);

/* The one of n that differs least, the first of several. */
const struct bench_subject *compare_nearest(const struct bench_subject *s,
    size_t n, const struct bench_subject *after);

/* One number of each run whose processes all are there. */
struct bench_values {
	size_t n;
	unsigned run[BASELINE_RUNS];
	double x[BASELINE_RUNS];	/* NAN: a process of it has none */
	uint64_t least;		/* samples of the process that had fewest */
};

/* Of several processes of the model in one run: their mean; sum: their sum. */
void compare_values(const struct bench_subject *s, unsigned metric, bool sum,
    struct bench_values *v);

/* None of them is NAN. */
bool compare_known(const struct bench_values *v);

/* Only the runs that both have. */
void compare_pair(struct bench_values *a, struct bench_values *b);

#endif
