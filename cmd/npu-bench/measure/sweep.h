/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sweep: the loads of all configurations, on one or both sides of a
 * comparison.  Without --ab there is one side.
 */
#ifndef NPU_BENCH_MEASURE_SWEEP_H
#define NPU_BENCH_MEASURE_SWEEP_H

#include "npu-bench/bench.h"

/* --reuse-job: the only option of a side that is not in device.h. */
enum { OPT_REUSE_JOB = 512 };

enum { SIDE_WORDS = 64, BENCH_JOBS = 64 };	/* limits */

/* Numbers of inferences in flight, from -j. */
struct bench_jobs {
	unsigned n, job[BENCH_JOBS];	/* n is 0: not given */
};

struct bench_side {
	char name;		/* 'A' or 'B'; 0: not a comparison */
	char *words;		/* a copy of --ab's words; env, option and
				   model may point into it; never freed */
	unsigned envs, options, models;
	char *env[SIDE_WORDS];	/* "NAME=value" */
	struct {
		int opt;
		const char *arg;
	} option[SIDE_WORDS];	/* device options */
	char *model[BENCH_MODELS];
	struct bench_jobs jobs;
	int scenario;		/* enum bench_scenario; -1: not given */
};

/* A load in a configuration, on one side. */
struct sweep_entry {
	struct bench_load load;
	unsigned config;
	const struct bench_side *side;
};

struct sweep {
	struct sweep_entry *entry;	/* owned; sorted by configuration and
					   side */
	unsigned n, configs;
};

/* Makes the configurations of one side or two.  Two sides with different
 * numbers of configurations are a usage error. */
void sweep_make(struct sweep *sweep, const struct bench_side *side,
    unsigned sides, bool together);

/* Returns the *n entries of a configuration and side, an array in *sweep; NULL
 * without entries. */
const struct sweep_entry *sweep_find(const struct sweep *sweep,
    unsigned config, char side, unsigned *n);

#endif
