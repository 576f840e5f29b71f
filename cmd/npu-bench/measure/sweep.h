/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is measured in one go: every configuration's loads, on one side of a
 * comparison or on both.
 */
#ifndef NPU_BENCH_MEASURE_SWEEP_H
#define NPU_BENCH_MEASURE_SWEEP_H

#include "npu-bench/bench.h"

/* --reuse-job: the one option of a side that device.h does not have. */
enum { OPT_REUSE_JOB = 512 };

enum { SIDE_WORDS = 64, BENCH_JOBS = 64 };	/* most */

/* Numbers in flight, of -j. */
struct bench_jobs {
	unsigned n, job[BENCH_JOBS];	/* n is 0: not said */
};

struct bench_side {
	char name;		/* 'A' or 'B'; 0: no comparison */
	char *words;		/* a copy of them, into which what follows
				   points; lives as long as the program */
	unsigned envs, options, models;
	char *env[SIDE_WORDS];	/* "NAME=value" */
	struct {
		int opt;
		const char *arg;
	} option[SIDE_WORDS];	/* options that concern the device */
	char *model[BENCH_MODELS];
	struct bench_jobs jobs;
	int scenario;		/* enum bench_scenario; -1: not said */
};

/* One process of a run: a load of a configuration, on a side. */
struct sweep_entry {
	struct bench_load load;
	unsigned config;
	const struct bench_side *side;
};

struct sweep {
	struct sweep_entry *entry;	/* owned; by configuration and side */
	unsigned n, configs;
};

/* The configurations of one side or two, which must agree in their number. */
void sweep_make(struct sweep *sweep, const struct bench_side *side,
    unsigned sides, bool together);
/* The n members of a configuration and side, from the one returned on. */
const struct sweep_entry *sweep_find(const struct sweep *sweep,
    unsigned config, char side, unsigned *n);

#endif
