/* SPDX-License-Identifier: Apache-2.0 */
/* What several processes come to: those of one run, and those of several runs
 * of the same thing. */
#ifndef NPU_BENCH_REPORT_RUN_GROUPS_H
#define NPU_BENCH_REPORT_RUN_GROUPS_H

#include "npu-bench/measure/stage_stats.h"

/*
 * Processes that were released together, [first, first + n) of b->run: how
 * many inferences all of them completed in the time that all of them measured.
 */
struct bench_together {
	unsigned first, n;
	uint64_t completed;
	double seconds;		/* of the common window; 0: there is none */
	double throughput;	/* a second; NAN */
};
/* Of the run that b->run[i] is a process of. */
void bench_together_of(const struct bench *b, unsigned i,
    struct bench_together *t);

/* Joules of the window, all of them and those above the idle machine's; and of
 * an inference of all processes.  NAN: not known. */
struct bench_energy {
	double gross, net, gross_each, net_each;
};
/* False: nothing measured it. */
bool bench_energy_of(const struct bench *b, unsigned i,
    struct bench_energy *e);

/* Processors that a process kept busy; NAN. */
double process_cores(const struct bench_run *r);

/* The processes that ran one model of one configuration on one side. */
struct run_group {
	const struct bench_run *head;	/* the first of them */
	unsigned *at;		/* of b->run; those that have samples */
	unsigned n;
	unsigned runs, processes;	/* those without samples, too */
	uint64_t least_n, most_n;	/* samples of a process */
	struct bench_stats median;	/* of each statistic, over them; NAN
					   where one of them has none */
};

struct run_groups {
	struct run_group *group;
	unsigned n;
};

/* By configuration, then side, then as they were made. */
void run_groups_of(const struct bench *b, const struct bench_stats *s,
    struct run_groups *g);
void run_groups_free(struct run_groups *g);

/* One number of each process of a group. */
struct run_spread {
	double median, min, max;
	double sd;		/* part of the mean; NAN of one */
};
/* of: a number of b->run[i].  NAN: of one of them it is not known. */
void run_spread_of(const struct bench *b, const struct run_group *g,
    double (*of)(const struct bench *b, unsigned i, const void *what),
    const void *what, struct run_spread *d);

/* Numbers of one process, for run_spread_of(): of struct stage_stat, as
 * bench_stat() has it; processors that it kept busy. */
struct stage_stat {
	const char *stage, *stat;
};
double stat_of_run(const struct bench *b, unsigned i, const void *what);
double cores_of_run(const struct bench *b, unsigned i, const void *what);

#endif
