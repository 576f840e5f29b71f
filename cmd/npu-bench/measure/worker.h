/* SPDX-License-Identifier: Apache-2.0 */
/* One process of a run: its memory, its beginning, and its inside. */
#ifndef NPU_BENCH_MEASURE_WORKER_H
#define NPU_BENCH_MEASURE_WORKER_H

#include <sys/types.h>

#include "npu-bench/options.h"

/*
 * Starts the process of *r, which was made by crew_new().  *ring: readable when
 * it says its phase, at its end when it is gone; *go: writing there lets it go.
 * Dies.
 */
pid_t member_start(const struct bench_options *o, char **argv,
    struct bench_run *r, int *ring, int *go);

/* Gives back the room that has no samples. */
void member_shrink(struct bench_run *r);

#endif
