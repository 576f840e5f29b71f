/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a side of a comparison is made of, and without one, all there is: words
 * that may be environment, options or models; and from these, and the lists of
 * models and of numbers in flight, the loads of every configuration.
 */
#ifndef NPU_BENCH_SIDES_H
#define NPU_BENCH_SIDES_H

#include "bench.h"

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

/* "1,2,4", "1-4", of -j; a usage error says what it may be. */
void jobs_parse(struct bench_jobs *jobs, const char *arg);

/* Whether option c may be said of one side alone, and is kept as given. */
bool side_parse_option(struct bench_side *side, int opt, const char *arg);

/* The words of --ab.  What they do not say of models, numbers in flight and the
 * scenario is as in *common.  Returns whether it has models of its own. */
bool side_parse(struct bench_side *side, char name, const char *words,
    const struct bench_side *common);

/* In a process of that side: its environment and its options. */
void side_apply(const struct bench_side *side);

/* The configurations of one side or two, which must agree in their number. */
void sweep_make(struct sweep *sweep, const struct bench_side *side,
    unsigned sides, bool together);
/* The n members of a configuration and side, from the one returned on. */
const struct sweep_entry *sweep_find(const struct sweep *sweep,
    unsigned config, char side, unsigned *n);

#endif
