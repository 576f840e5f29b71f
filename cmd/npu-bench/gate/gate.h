/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The gate: runs against those of a saved document, or A against B.
 *
 * One number a run is compared: of several processes of the same model in one
 * run, released together, their mean, or the sum of their throughputs.
 */
#ifndef NPU_BENCH_GATE_GATE_H
#define NPU_BENCH_GATE_GATE_H

#include "baseline.h"

/* What was asked for; bench_gate_default, then what the options say. */
struct bench_gate {
	const char *baseline;		/* --baseline; NULL: --ab */
	const char *a, *b;		/* --ab; NULL: --baseline */
	double regress;			/* --max-regress: 0.05 is 5 % */
	double min_delta_ms;		/* --min-delta */
	unsigned max_runs;		/* --max-runs */
	enum bench_unsure unsure;	/* --on-unsure */
	bool force;			/* --force-compare */
	struct bench_metrics metrics;	/* --metrics */
	struct bench_points stored;	/* bench_gate_open(); owned */
};

/* 5 %, 0.1 ms, 10 runs; infer and e2e p50, infer p99 ucb, throughput. */
extern const struct bench_gate bench_gate_default;

/* Whether there is one. */
static inline bool
bench_has_gate(const struct bench_gate *g)
{
	return g->baseline != NULL || g->a != NULL;
}

/* Of options; a usage error names the option and what it may be. */
void bench_gate_parse_metrics(struct bench_gate *g, const char *arg);
void bench_gate_parse_regress(struct bench_gate *g, const char *arg);
void bench_gate_parse_min_delta(struct bench_gate *g, const char *arg);
extern const char *const unsure_names[];	/* end with NULL */
void bench_gate_parse_unsure(struct bench_gate *g, const char *arg);

/* Samples without which a run does not have it. */
size_t bench_gate_need(const struct bench_metric *m);

/*
 * After all options, before anything is measured: reads the baseline; *err
 * begins with its name.  loads: of all configurations, each of which has its
 * own verdicts; too many are a usage error.
 */
int bench_gate_open(struct bench_gate *g, unsigned loads,
    struct npu_err *err);

/* Judges b's runs so far: b->verdicts, all of it. */
void bench_gate_judge(const struct bench_gate *g, struct bench *b);

/*
 * Whether, after bench_gate_judge(), more runs (pairs of them) are wanted of
 * all configurations.  least: --runs.  False at once where what is compared
 * differs, which no number of runs can change.
 */
bool bench_gate_wants_more(const struct bench_gate *g, const struct bench *b,
    unsigned least);

/* 0, EXIT_VERDICT or EXIT_NOVERDICT, of b->verdicts and --on-unsure. */
int bench_gate_status(const struct bench_gate *g, const struct bench *b);

#endif
