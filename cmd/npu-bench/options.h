/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of npu-bench. */
#ifndef NPU_BENCH_OPTIONS_H
#define NPU_BENCH_OPTIONS_H

#include "cmd.h"
#include "npu-bench/gate/gate.h"
#include "npu-bench/measure/worker.h"
#include "sides.h"
#include "tensors/diff.h"

enum {
	OPT_AB = 256, OPT_BASELINE, OPT_BOUND, OPT_COOL_TO, OPT_COOLDOWN,
	OPT_CSV, OPT_FIND_RATE, OPT_FORCE_COMPARE, OPT_IDLE,
	OPT_INPUT, OPT_JSON, OPT_JUNIT, OPT_MAX_ITER, OPT_MAX_REGRESS,
	OPT_MAX_RUNS, OPT_MAX_TIME, OPT_METRICS, OPT_MIN_DELTA, OPT_MIN_ITER,
	OPT_MIN_TIME, OPT_NULL, OPT_ON_UNSURE, OPT_ONNX, OPT_OPS, OPT_PEAK,
	OPT_PER_QUERY, OPT_PERCENTILES,
	OPT_POWER, OPT_PRESET, OPT_RATE, OPT_REF, OPT_ROOT, OPT_RUNS,
	OPT_SAMPLES, OPT_SAVE, OPT_SCENARIO, OPT_SEED, OPT_SELF_CHECK,
	OPT_STRICT, OPT_TOGETHER, OPT_TOL,
};

enum bench_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_TSV };

struct npu_bench_options {
	struct bench_plan plan;
	struct tolerance tolerance;	/* what plan.tol points to */
	struct bench_gate gate;
	struct bench_side common;	/* the options that both sides share */
	struct bench_side side[2];
	unsigned sides;
	struct sweep sweep;
	unsigned processes;		/* number of workers for each load */
	unsigned runs;			/* for each configuration */
	bool together, null, self_check, strict;
	bool quiet;			/* -q */
	enum bench_format format;
	bool format_named, format_flagged;	/* format was given by -F; by
						   --json or --csv */
	const char *output, *samples, *save, *junit;	/* files, or NULL */
	const char *root;		/* "": this machine */
	const char *node;		/* the device file; NULL: the default */
	const char *power;		/* sensors; NULL: not given */
	const char *onnx;		/* the file that sets plan.ops, or
					   NULL */
	int64_t idle_ns;		/* -1: not given; 0: none */
	int64_t cooldown_ns;		/* -1: not given */
	double cool_to;			/* degrees Celsius; NAN: not given */
	const struct bench *same;	/* --self-check: in its second
					   comparison, the runs of the first */
};

/*
 * The options as given, until all are known and options_check() resolves them.
 */
struct raw_options {
	const char *a, *b;		/* --ab */
	int preset;			/* index in preset_names; -1: not
					   given */
	int64_t least_ns, most_ns;	/* -1: not given */
	int64_t least_n, most_n;
	bool tol, per_query, rate, max_runs, runs, peak;	/* the option
								   was given */
	const char *needs_gate;		/* an option that was given and needs
					   a gate */
};

/* The values of --preset, then NULL. */
extern const char *const preset_names[];

/* Resolves *raw into *o.  Options that exclude each other are a usage error. */
void options_check(struct npu_bench_options *o, struct raw_options *raw);

/* The option rows for struct program. */
extern const struct opt options_table[];

/*
 * Reads and checks all options; dies with a usage error.  *o points into argv.
 */
void options_read(struct npu_bench_options *o, int argc, char *argv[]);

/* Returns the options for workers; points into *o. */
struct worker_options options_of_workers(const struct npu_bench_options *o);

#endif
