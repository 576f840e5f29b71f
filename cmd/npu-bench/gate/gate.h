/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gate compares runs with the runs of a saved document, or A with B.
 *
 * It compares one number for each run: of several workers of the same model in
 * one run, their mean, or the sum of their throughputs.
 */
#ifndef NPU_BENCH_GATE_GATE_H
#define NPU_BENCH_GATE_GATE_H

#include "baseline.h"

/* The gate's options: bench_gate_default, changed by the command line. */
struct bench_gate {
	const char *baseline;		/* --baseline; NULL: --ab */
	const char *a, *b;		/* --ab; NULL: --baseline */
	double regress;			/* --max-regress: 0.05 is 5 % */
	double min_delta_ms;		/* --min-delta */
	unsigned max_runs;		/* --max-runs */
	enum bench_unsure unsure;	/* --on-unsure */
	bool force;			/* --force-compare */
	struct bench_metrics metrics;	/* --metrics */
	struct bench_points stored;	/* from bench_gate_open(); owned */
};

/* The defaults: 5 %, 0.1 ms, 10 runs; p50 of infer and e2e, p99 ucb of infer,
 * throughput. */
extern const struct bench_gate bench_gate_default;

/* True if anything is compared. */
static inline bool
bench_has_gate(const struct bench_gate *g)
{
	return g->baseline != NULL || g->a != NULL;
}

/* Parse the options' arguments; a usage error names the option and the allowed
 * arguments. */
void bench_gate_parse_metrics(struct bench_gate *g, const char *arg);
void bench_gate_parse_regress(struct bench_gate *g, const char *arg);
void bench_gate_parse_min_delta(struct bench_gate *g, const char *arg);
extern const char *const unsure_names[];	/* names of enum
						   bench_unsure, then NULL */
void bench_gate_parse_unsure(struct bench_gate *g, const char *arg);

/* Returns the number of samples that a run needs to have the metric. */
size_t bench_gate_need(const struct bench_metric *m);

/*
 * Reads the baseline, after the options and before any measurement; *err begins
 * with its name.  loads is the number of loads in all configurations, each of
 * which gets its own verdicts; too many are a usage error.
 */
int bench_gate_open(struct bench_gate *g, unsigned loads,
    struct npu_err *err);

/* Judges b's runs so far, and sets b->verdicts. */
void bench_gate_judge(const struct bench_gate *g, struct bench *b);

/*
 * Returns whether another run (with --ab, a pair) of each configuration is
 * needed.  Call after bench_gate_judge().  least is --runs.  Returns false if
 * the two sides cannot be compared, because more runs would not change that.
 */
bool bench_gate_wants_more(const struct bench_gate *g, const struct bench *b,
    unsigned least);

/* Returns EXIT_DONE, EXIT_VERDICT or EXIT_NOVERDICT, from b->verdicts and
 * --on-unsure. */
int bench_gate_status(const struct bench_gate *g, const struct bench *b);

#endif
