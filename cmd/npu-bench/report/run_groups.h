/* SPDX-License-Identifier: Apache-2.0 */
/* Groups that a report summarizes: the workers of one run, several runs of the
 * same load, and the warnings of all runs. */
#ifndef NPU_BENCH_REPORT_RUN_GROUPS_H
#define NPU_BENCH_REPORT_RUN_GROUPS_H

#include "npu-bench/measure/stage_stats.h"

/*
 * The workers of one run, b->run[first] and the n - 1 that follow, during the
 * time in which all measured.
 */
struct bench_together {
	unsigned first, n;
	uint64_t completed;
	double seconds;		/* length of that time; 0: no such time */
	double throughput;	/* per second; NAN: unknown */
};
/* Computes this for the run of worker b->run[i]. */
void bench_together_of(const struct bench *b, unsigned i,
    struct bench_together *t);

/* Joules of the window: all, and above the idle machine's; and the same for one
 * inference of all workers.  NAN: unknown. */
struct bench_energy {
	double gross, net, gross_each, net_each;
};
/* Returns false if the energy was not measured. */
bool bench_energy_of(const struct bench *b, unsigned i,
    struct bench_energy *e);

/* Returns the processors that a worker kept busy; NAN: unknown. */
double process_cores(const struct bench_run *r);

/* The workers with one model in one configuration, on one side. */
struct run_group {
	const struct bench_run *head;	/* the first of the workers */
	unsigned *at;		/* n indices in b->run, of workers with
				   samples */
	unsigned n;
	unsigned runs, processes;	/* also of workers without samples */
	uint64_t least_n, most_n;	/* samples of a worker */
	struct bench_stats median;	/* median of each statistic, over the
					   n; NAN: a worker does not have it */
};

struct run_groups {
	struct run_group *group;
	unsigned n;
};

/* Returns the groups in the order of configuration, side and process. */
void run_groups_of(const struct bench *b, const struct bench_stats *s,
    struct run_groups *g);
void run_groups_free(struct run_groups *g);

/* The spread of a number over the workers of a group. */
struct run_spread {
	double median, min, max;
	double sd;		/* as a fraction of the mean; NAN for one
				   worker */
};
/* Computes the spread.  of: returns the number for b->run[i].  NAN: a worker
 * does not have the number. */
void run_spread_of(const struct bench *b, const struct run_group *g,
    double (*of)(const struct bench *b, unsigned i, const void *what),
    const void *what, struct run_spread *d);

/* Numbers for run_spread_of(): bench_stat() of a struct stage_stat, and
 * process_cores(). */
struct stage_stat {
	const char *stage, *stat;
};
double stat_of_run(const struct bench *b, unsigned i, const void *what);
double cores_of_run(const struct bench *b, unsigned i, const void *what);

/* Returns the warnings of all runs: 1 << WARNING_COV and so on. */
unsigned bench_warnings(const struct bench *b, const struct bench_stats *s);
/* Prints the warnings on stderr, one on each line. */
void bench_warn(const struct bench *b, const struct bench_stats *s);

/* Sets s to a model's name for a report: the name of its file, or the path if
 * the file of another model in b has the same name; cut as by format_name(). */
void model_name(char s[200], const struct bench *b, const char *model,
    size_t widest);

#endif
