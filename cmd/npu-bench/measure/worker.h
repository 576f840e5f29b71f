/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker: a fresh process of this program that makes one run.  It is the same
 * program with the same arguments, executed again so that its addresses are
 * random again; where that cannot be, as under an emulator of processors, it is
 * a copy of this process.
 */
#ifndef NPU_BENCH_MEASURE_WORKER_H
#define NPU_BENCH_MEASURE_WORKER_H

#include <sys/types.h>

#include "sweep.h"

/* Common to the workers of all runs. */
struct worker_options {
	const struct bench_plan *plan;
	const struct sweep *sweep;
	unsigned processes;	/* of each of its entries */
	bool null;		/* --null-device */
	bool quiet;		/* no notes */
};

/* In a worker, runs it and ends the process; elsewhere returns at once. */
void worker_main_if_child(const struct worker_options *o);

/* Shared memory for a worker, with room for the plan's samples; or dies. */
struct bench_run *worker_new(const struct bench_plan *plan, unsigned config,
    unsigned run, unsigned process, char side);

/*
 * Starts the worker of *r, which worker_new() returned; dies if it cannot.
 * Reading *phases returns a byte for each phase and 0 when the worker has
 * exited; writing to *go releases it.
 */
pid_t worker_start(const struct worker_options *o, char **argv,
    struct bench_run *r, int *phases, int *go);

/* After the worker: frees the memory that has no samples. */
void worker_trim(struct bench_run *r);

#endif
