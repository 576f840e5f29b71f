/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a process of a run. */
#ifndef NPU_BENCH_MEASURE_WORKER_RUN_H
#define NPU_BENCH_MEASURE_WORKER_RUN_H

#include "npu-bench/bench.h"

/*
 * One run, from opening the model to closing it: fills *r and its samples, and
 * leaves it at PHASE_OVER, whatever happens.  The device is cmd_device's; what
 * the vendor's library prints is captured (cmd_claim_stdout()).  Nothing is
 * said but in *r, except for notes and, after a failure or with -v, the
 * library's own words.  Once a process.
 */
void worker_run(struct bench_run *r, const struct bench_plan *p,
    const struct bench_load *l);

#endif
