/* SPDX-License-Identifier: Apache-2.0 */
/* One process of a run: its memory, its beginning, and its inside. */
#ifndef NPU_BENCH_MEASURE_WORKER_H
#define NPU_BENCH_MEASURE_WORKER_H

#include <sys/types.h>

#include "npu-bench/options.h"

/* In a worker, runs it and ends the process; elsewhere returns at once. */
void worker_main_if_child(const struct npu_bench_options *o);

/* Memory of one process of a run, with the plan's room; dies. */
struct bench_run *worker_new(const struct npu_bench_options *o, unsigned config,
    unsigned run, unsigned process, char side);

/*
 * Starts the process of *r, which was made by worker_new().  *phases: readable
 * when it says its phase, at its end when it is gone; *go: writing there lets
 * it go. Dies.
 */
pid_t worker_start(const struct npu_bench_options *o, char **argv,
    struct bench_run *r, int *phases, int *go);

/* Gives back the room that has no samples. */
void worker_trim(struct bench_run *r);

#endif
