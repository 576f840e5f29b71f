/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run: fresh processes of this program that share their samples with it, and
 * that are released together.  Each is the same program with the same
 * arguments, executed anew so that its places in memory are drawn anew; where
 * that cannot be, as under an emulator of processors, it is a copy of this one.
 */
#ifndef NPU_BENCH_MEASURE_WORKERS_H
#define NPU_BENCH_MEASURE_WORKERS_H

#include "monitor.h"
#include "worker.h"

struct workers {
	const struct worker_options *options;
	char **argv;		/* as this program got it */
	struct monitor *monitor;
};

/*
 * Makes and ends the n processes of a run; r[0] to r[n - 1] are said before.
 * What became of each is in it: one that died has words that say of what.  If
 * one fails before they are released, the others are stopped.  When cmd_stop is
 * set it ends all of them, within 2 s.
 */
void workers_run(const struct workers *c, struct bench_run **r, unsigned n);

#endif
