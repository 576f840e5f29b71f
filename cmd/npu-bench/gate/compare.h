/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arranges runs for a comparison: which of one side belong to which of the
 * other, one number for each run, and differences between them that should
 * not exist.
 */
#ifndef NPU_BENCH_GATE_COMPARE_H
#define NPU_BENCH_GATE_COMPARE_H

#include "base/buf.h"
#include "baseline.h"

/* A model of a configuration, on one side: all of its runs. */
struct bench_subject {
	const struct bench_points *of;
	const struct bench_point *first;
	unsigned processes;	/* workers released together, of any model */
};

/* b's runs that did not fail; the environment is the first one's. */
void compare_points(const struct bench *b, const struct bench_metrics *metrics,
    struct bench_points *points);

/* The most runs of a model and configuration. */
unsigned compare_runs(const struct bench_points *p);

/* The subjects of a side of p (0: of runs without one), in the order in which
 * they first come; returns their number.  s has room for p->n. */
size_t compare_subjects(const struct bench_points *p, char side,
    struct bench_subject *s);

/* Counts items of the fingerprint that differ; lists them with both values in
 * *out, unless that is NULL, those of a model after its name if named. */
unsigned compare_fingerprints(const struct bench_subject *before,
    const struct bench_subject *after, bool named, struct buf *out);

/* The first of the n subjects that differ least; NULL if n is 0. */
const struct bench_subject *compare_nearest(const struct bench_subject *s,
    size_t n, const struct bench_subject *after);

/* One number for each run with all its workers. */
struct bench_values {
	size_t n;
	unsigned run[BASELINE_RUNS];
	double x[BASELINE_RUNS];	/* NAN: a worker of it has none */
	uint64_t least;		/* samples of the worker that had fewest */
};

/* With several workers of the model in one run: their mean, or their sum. */
void compare_values(const struct bench_subject *s, unsigned metric, bool sum,
    struct bench_values *v);

/* Whether none of them is NAN. */
bool compare_known(const struct bench_values *v);

/* Keeps only the runs that both sides have. */
void compare_pair(struct bench_values *a, struct bench_values *b);

#endif
