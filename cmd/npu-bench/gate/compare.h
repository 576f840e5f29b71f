/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arranges runs for a comparison: matches the runs of both sides, reduces each
 * run to one number, and finds differences between them that should not exist.
 */
#ifndef NPU_BENCH_GATE_COMPARE_H
#define NPU_BENCH_GATE_COMPARE_H

#include "base/buf.h"
#include "baseline.h"

/* A model in a configuration, on one side, with all its runs. */
struct bench_subject {
	const struct bench_points *of;
	const struct bench_point *first;
	unsigned processes;	/* workers released together, of any model */
};

/* Converts b's runs that did not fail; the environment is the first run's. */
void compare_points(const struct bench *b, const struct bench_metrics *metrics,
    struct bench_points *points);

/* Returns the largest number of runs of a model and configuration. */
unsigned compare_runs(const struct bench_points *p);

/* Stores the subjects of a side of p (0: of runs without a side) in s, in the
 * order of their first run.  Returns their number.  s has room for p->n. */
size_t compare_subjects(const struct bench_points *p, char side,
    struct bench_subject *s);

/* Counts items of the fingerprint that differ.  Lists them with both values in
 * *out, unless that is NULL; if named, a model's items follow its name. */
unsigned compare_fingerprints(const struct bench_subject *before,
    const struct bench_subject *after, bool named, struct buf *out);

/* Returns the first of the n subjects with the fewest differences; NULL if n is
 * 0. */
const struct bench_subject *compare_nearest(const struct bench_subject *s,
    size_t n, const struct bench_subject *after);

/* One number for each run, for all its workers. */
struct bench_values {
	size_t n;
	unsigned run[BASELINE_RUNS];
	double x[BASELINE_RUNS];	/* NAN: one of the run's workers does
					   not have the metric */
	uint64_t least;		/* samples of the worker with the fewest
				   samples */
};

/* If a run has several workers of the model, uses their mean or their sum. */
void compare_values(const struct bench_subject *s, unsigned metric, bool sum,
    struct bench_values *v);

/* True if all values are known: not NAN. */
bool compare_known(const struct bench_values *v);

/* Keeps only the runs that both sides have. */
void compare_pair(struct bench_values *a, struct bench_values *b);

#endif
