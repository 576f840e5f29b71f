/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runs that the gate compares: this program's own, and those of a document
 * (schema npu-bench/1) that an earlier one saved.
 *
 * Members of a document that are read; those without a * must be there:
 *
 *	schema		"npu-bench/1"
 *	error *		null: failed runs are no baseline
 *	host		board, driver, libnoe, governor, cpu *: text, null: not
 *			known; emulator *: true or false
 *	plan *		steady *: whether server's arrivals are even
 *	models[]	path, sha256
 *	runs[]		model: the path of one of them; config, run, process;
 *			side: null, as A against B is no baseline; scenario,
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
	/* At most: */
	BASELINE_METRICS = 16,		/* of --metrics */
	BASELINE_RUNS = 4096,		/* entries of runs[] in a document */
	BASELINE_BYTES = 32 << 20,	/* a run has about 10 KiB */
	BASELINE_VALUES = 2000000,	/* values in it */
	BASELINE_NESTED = 400000,	/* arrays and objects in it */
};

/* As bench_stat() has it: "infer", "p99_ucb"; "throughput", "". */
struct bench_metric {
	char stage[16], stat[16];
};

struct bench_metrics {
	struct bench_metric metric[BASELINE_METRICS];
	unsigned n;
};

/* Where and with what runs were made.  "": not known. */
struct bench_environment {
	char board[128], processor[128], architecture[32];
	bool has_processor;		/* early documents have none */
	double processors;		/* 0: not known */
	char driver[32], library[32], governor[64];
	char emulator[4];		/* "yes", "no" */
	char arrivals[8];		/* "even", "poisson"; of server */
};

/* One worker of one run. */
struct bench_point {
	const char *model;
	char sha256[65];
	enum bench_scenario scenario;
	unsigned inflight;
	unsigned per_query;		/* multi-stream; else 0 */
	double rate;			/* server; else 0 */
	unsigned config, run, process;
	char side;			/* 0, 'A' or 'B' */
	uint64_t n;			/* samples */
	double value[BASELINE_METRICS];	/* ms, or per second; NAN: unknown */
};

struct bench_points {
	struct bench_environment environment;
	struct bench_point *point;	/* owned */
	size_t n;
	char *model[BENCH_MODELS];	/* of a document's points; owned */
};

/* Reads a document.  The message of NPU_EFORMAT names the member that is wrong,
 * its value and what it may be. */
int baseline_read(struct bytes text, const struct bench_metrics *metrics,
    struct bench_points *points, struct npu_err *err);
void baseline_free(struct bench_points *points);

#endif
