/* SPDX-License-Identifier: Apache-2.0 */
/* One process of a run: its memory, its beginning, and its inside. */
#ifndef NPU_BENCH_MEASURE_WORKER_H
#define NPU_BENCH_MEASURE_WORKER_H

#include <sys/types.h>

#include "sweep.h"

/* What the workers of all runs have in common. */
struct worker_options {
	const struct bench_plan *plan;
	const struct sweep *sweep;
	unsigned processes;	/* of each of its entries */
	bool null;		/* --null: the emulator computes nothing */
	bool quiet;		/* no notes */
};

/* In a worker, runs it and ends the process; elsewhere returns at once. */
void worker_main_if_child(const struct worker_options *o);

/* Memory of one process of a run, with the plan's room; dies. */
struct bench_run *worker_new(const struct bench_plan *plan, unsigned config,
    unsigned run, unsigned process, char side);

/*
 * Starts the process of *r, which was made by worker_new().  *phases: readable
 * when it says its phase, at its end when it is gone; *go: writing there lets
 * it go. Dies.
 */
pid_t worker_start(const struct worker_options *o, char **argv,
    struct bench_run *r, int *phases, int *go);

/* Gives back the room that has no samples. */
void worker_trim(struct bench_run *r);

#endif
