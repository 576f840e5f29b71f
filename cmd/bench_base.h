/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What runs came to, as far as the gate looks at it: of this program's own, or
 * of a document (schema npu-bench/1) that another one saved.
 *
 * Members that are read of a document; all but those marked * must be there,
 * and null is "not known" where a string or a statistic is wanted:
 *
 *	schema
 *	host		board, driver, libnoe, governor; emulator *
 *	processes
 *	models[]	path, sha256
 *	runs[]		model (a path of models), config, run, process, side,
 *			scenario, inflight, rate, per_query *, n, failed,
 *			throughput
 *	runs[].stages	an object of each stage: its statistics in ms, with
 *			the keys STAT_ms
 */
#ifndef BENCH_BASE_H
#define BENCH_BASE_H

#include "base/bytes.h"
#include "bench.h"

enum {
	BASE_METRICS = 16,		/* of --metrics, most */
	BASE_RUNS = 65536,		/* processes in a document, most */
	BASE_BYTES = 64 << 20,		/* of a document, most */
};

/* A metric of one process: a statistic of a stage, or its throughput. */
struct bench_metric {
	char stage[16], stat[16];	/* "infer", "p99_ucb"; "throughput",
					   "" */
	bool higher;			/* more is better */
};

struct bench_metrics {
	struct bench_metric metric[BASE_METRICS];
	unsigned n;
};

/* Where it was measured, and with what.  "": not known. */
struct bench_place {
	char board[128], driver[32], library[32], governor[64];
	bool emulator;
};

/* One process of one run. */
struct bench_point {
	char model[256], sha256[65];
	enum bench_scenario scenario;
	unsigned inflight, per_query;	/* per_query: 0 but multi-stream */
	double rate;			/* 0 but of server */
	unsigned config, run, process;
	char side;			/* 0, 'A', 'B' */
	uint64_t n;			/* samples */
	double value[BASE_METRICS];	/* ms, or 1/s; NAN: there is none */
};

struct bench_points {
	struct bench_place place;
	struct bench_point *point;	/* owned */
	size_t n;
};

/*
 * Reads a saved document.  NPU_EFORMAT names the member, its value and what it
 * may be.
 */
int base_read(struct bytes text, const struct bench_metrics *metrics,
    struct bench_points *points, struct npu_err *err);

/* Those of b's runs that did not fail. */
void base_of(const struct bench *b, const struct bench_metrics *metrics,
    struct bench_points *points);

void base_free(struct bench_points *points);

#endif
