/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the workers of a run, which are released together. */
#ifndef NPU_BENCH_MEASURE_WORKERS_H
#define NPU_BENCH_MEASURE_WORKERS_H

#include "monitor.h"
#include "worker.h"

struct workers {
	const struct worker_options *options;
	char **argv;		/* this program's arguments */
	struct monitor *monitor;
	void (*ready)(void *arg);	/* called before the workers are
					   released */
	void *arg;
};

/*
 * Starts the n workers of a run, r[0] to r[n - 1], and returns when all have
 * exited.  Each leaves its results in its r; if a worker died, its rc and
 * message name the cause.  If a worker fails before the release, the others are
 * stopped.  Once cmd_stop is set, all workers end within 2 s.
 */
void workers_run(const struct workers *c, struct bench_run **r, unsigned n);

#endif
