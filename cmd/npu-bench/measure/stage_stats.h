/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes statistics of a worker's samples, stage by stage.  Each stage has
 * its own distribution: percentiles are never added up.
 */
#ifndef NPU_BENCH_MEASURE_STAGE_STATS_H
#define NPU_BENCH_MEASURE_STAGE_STATS_H

#include "npu-bench/bench.h"
#include "stats/histogram.h"
#include "stats/percentile.h"
#include "stats/summary.h"
#include "stats/warning.h"

enum bench_stage {
	STAGE_CREATE, STAGE_PUT, STAGE_INFER, STAGE_GET, STAGE_CLEAN,
	STAGE_E2E,
	STAGE_QUERY,		/* multi-stream and server only */
	STAGES
};

/* The stages' names: npu-bench(1), STAGES. */
extern const char *const stage_names[STAGES];

/* A duration of less than this many times the cost of reading the clock is not
 * shown. */
#define STAGE_CLOCKS 50

#define STAGE_BINS 20		/* most bins in a histogram */

/* Durations in ms.  If summary.n is 0, samples are missing, and the rest is
 * not set. */
struct stage_stats {
	struct summary summary;
	struct percentile percentile[BENCH_PERCENTILES];	/* the plan's */
	struct histogram histogram;
};

struct bench_stats {
	struct stage_stats stage[STAGES];
	double throughput;	/* per second of the window; NAN: unknown */
	double inverse_latency;	/* 1 / mean of e2e, per second; NAN: unknown */
	double floor_ms;	/* shorter durations are not shown */
	unsigned warnings;	/* 1 << WARNING_COV and so on */
};

/* Computes r's statistics without changing *r.  Dies without memory. */
void bench_stats_of(struct bench_run *r, const struct bench_plan *p,
    struct bench_stats *s);

/* Returns the statistics of all runs, in their order; owned by the caller. */
struct bench_stats *bench_stats_all(const struct bench *b);

/*
 * Returns one statistic of a worker, even if the plan does not have its
 * percentile.  For a stage such as "infer": "mean", "sd", "min", "median",
 * "mad", "max", "p99.9", "p99.9_ucb", "p99.9_low" or "p99.9_high", in ms.  For
 * the stage "throughput": "", per second.  NAN: too few samples, or an unknown
 * statistic.
 */
double bench_stat(struct bench_run *r, const char *stage, const char *stat);
/* True if the statistic exists. */
bool bench_is_stat(const char *stage, const char *stat);

/*
 * Returns whether r, a server, kept the plan's bound: 1 if surely; 0 if not, or
 * not surely; -1 if it made too few inferences, or without a bound.  Failed and
 * dropped inferences count as too late.  After a search, an unsure result is
 * also -1, because the rate is near the highest.
 */
int bench_bound_kept(struct bench_run *r, const struct bench_plan *p);

/* Returns the number of samples in r, at most as many as there is room for. */
size_t bench_samples_of(const struct bench_run *r);

/* Returns the durations of a stage in ms, in the samples' order; NULL without
 * samples.  The caller owns the result. */
double *bench_durations(struct bench_run *r, enum bench_stage stage,
    size_t *n);

#endif
