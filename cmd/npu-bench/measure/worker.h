/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker is a new process of this program that makes one run.  It executes
 * the same program with the same arguments, which randomizes its addresses
 * again.  Where it cannot be executed, as under a processor emulator, the
 * worker is a fork of this process.
 */
#ifndef NPU_BENCH_MEASURE_WORKER_H
#define NPU_BENCH_MEASURE_WORKER_H

#include <sys/types.h>

#include "sweep.h"

/* Options common to the workers of all runs. */
struct worker_options {
	const struct bench_plan *plan;
	const struct sweep *sweep;
	unsigned processes;	/* workers for each entry */
	bool null;		/* --null-device */
	bool quiet;		/* print no notes */
};

/* In a worker, runs it and ends the process; in the program, returns
 * immediately. */
void worker_main_if_child(const struct worker_options *o);

/* Returns shared memory for a worker, with room for the plan's samples; dies if
 * it cannot. */
struct bench_run *worker_new(const struct bench_plan *plan, unsigned config,
    unsigned run, unsigned process, char side);

/*
 * Starts the worker of *r, which worker_new() returned; dies if it cannot.
 * Reading *phases returns a byte for each phase and 0 when the worker has
 * exited; writing to *go releases it.
 */
pid_t worker_start(const struct worker_options *o, char **argv,
    struct bench_run *r, int *phases, int *go);

/* Frees unused sample memory; call after the worker has exited. */
void worker_trim(struct bench_run *r);

#endif
