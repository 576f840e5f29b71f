/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runs that the gate compares: the runs of this program, and the runs in a
 * document (schema npu-bench/1) that an earlier program saved.
 *
 * Members of a document that are read; members without a * are required:
 *
 *	schema		"npu-bench/1"
 *	error *		null: failed runs are not a baseline
 *	host		board, driver, libnoe, governor, cpu *: text, null: not
 *			known; emulator *: true or false
 *	plan *		steady *: whether server's arrivals are even
 *	models[]	path, sha256
 *	runs[]		model: the path of a model; config, run, process;
 *			side: null, A against B is not a baseline; scenario,
 *			inflight, rate and per_query * (null: none), n,
 *			throughput (per second, or null); error *: if not null,
 *			this entry is left out
 *	runs[].stages	an object for each stage, in which p99.9_ucb, for
 *			instance, is "p999_ucb_ms": ms, or null
 */
#ifndef NPU_BENCH_GATE_BASELINE_H
#define NPU_BENCH_GATE_BASELINE_H

#include "base/bytes.h"
#include "npu-bench/bench.h"

#define BASELINE_SCHEMA "npu-bench/1"

enum {
	/* Limits: */
	BASELINE_METRICS = 16,		/* metrics in --metrics */
	BASELINE_RUNS = 4096,		/* entries of runs[] in a document */
	BASELINE_BYTES = 32 << 20,	/* bytes; a run has about 10 KiB */
	BASELINE_VALUES = 2000000,	/* values in a document */
	BASELINE_NESTED = 400000,	/* arrays and objects in a document */
};

/* In the form of bench_stat(): "infer", "p99_ucb"; "throughput", "". */
struct bench_metric {
	char stage[16], stat[16];
};

struct bench_metrics {
	struct bench_metric metric[BASELINE_METRICS];
	unsigned n;
};

/* The environment and the form of the runs.  "": unknown. */
struct bench_environment {
	char board[128], processor[128], architecture[32];
	bool has_processor;		/* early documents lack it */
	double processors;		/* 0: unknown */
	char driver[32], library[32], governor[64];
	char emulator[4];		/* "yes", "no" */
	char arrivals[8];		/* "even" or "poisson"; for server */
};

/* One worker of one run. */
struct bench_point {
	const char *model;
	char sha256[65];
	enum bench_scenario scenario;
	unsigned inflight;
	unsigned per_query;		/* for multi-stream; else 0 */
	double rate;			/* for server; else 0 */
	unsigned config, run, process;
	char side;			/* 0, 'A' or 'B' */
	uint64_t n;			/* number of samples */
	double value[BASELINE_METRICS];	/* ms, or per second; NAN: unknown */
};

struct bench_points {
	struct bench_environment environment;
	struct bench_point *point;	/* owned */
	size_t n;
	char *model[BENCH_MODELS];	/* the models that a document's
					   points name; owned */
};

/* Reads a document.  The message of NPU_EFORMAT names the wrong member, its
 * value and the allowed values. */
int baseline_read(struct bytes text, const struct bench_metrics *metrics,
    struct bench_points *points, struct npu_err *err);
void baseline_free(struct bench_points *points);

#endif
