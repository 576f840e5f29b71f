/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What runs came to, as far as the gate looks at it: this program's own, and
 * those of a document (schema npu-bench/1) that an earlier one saved.
 *
 * What is read of a document; all but what is marked * must be there:
 *
 *	schema		"npu-bench/1"
 *	error *		null: a run that failed is no baseline
 *	host		board, driver, libnoe, governor: text, null: not known;
 *			emulator *: true or false
 *	plan *		steady *: whether server's arrivals are even
 *	models[]	path, sha256
 *	runs[]		model: the path of one of them; config, run, process;
 *			side: null, as A against B is no baseline; scenario,
 *			inflight, rate (null: none), per_query * (likewise), n,
 *			throughput (a second, or null); error *: null, or this
 *			process is left out
 *	runs[].stages	an object of each stage, in which p99.9_ucb, say, is
 *			"p999_ucb_ms": ms, or null
 */
#ifndef NPU_BENCH_GATE_BASELINE_H
#define NPU_BENCH_GATE_BASELINE_H

#include "base/bytes.h"
#include "npu-bench/bench.h"

#define BASELINE_SCHEMA "npu-bench/1"

enum {
	BASELINE_METRICS = 16,	/* of --metrics, most */
	BASELINE_RUNS = 4096,	/* processes in a document, most */
	BASELINE_BYTES = 32 << 20,	/* of a document, most: about 10 KiB
					   a process */
	BASELINE_VALUES = 2000000,	/* numbers and so on in it, most */
	BASELINE_NESTED = 400000,	/* arrays and objects, most */
};

/* As bench_stat() has it: "infer", "p99_ucb"; "throughput", "". */
struct bench_metric {
	char stage[16], stat[16];
};

struct bench_metrics {
	struct bench_metric metric[BASELINE_METRICS];
	unsigned n;
};

/* Where and with what it was measured.  "": not known. */
struct bench_environment {
	char board[128], driver[32], library[32], governor[64];
	char emulator[4];		/* "yes", "no" */
	char arrivals[8];		/* "even", "poisson"; of server */
};

/* One process of one run. */
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
	double value[BASELINE_METRICS];	/* ms, or a second; NAN: not known */
};

struct bench_points {
	struct bench_environment environment;
	struct bench_point *point;	/* owned */
	size_t n;
	char *model[BENCH_MODELS];	/* of a document's points; owned */
};

/*
 * Reads a document.  NPU_EFORMAT says which member is wrong, its value and what
 * it may be.
 */
int baseline_read(struct bytes text, const struct bench_metrics *metrics,
    struct bench_points *points, struct npu_err *err);
void baseline_free(struct bench_points *points);

#endif
