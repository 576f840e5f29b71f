/* SPDX-License-Identifier: Apache-2.0 */
/* One run, in a worker. */
#ifndef NPU_BENCH_MEASURE_WORKER_RUN_H
#define NPU_BENCH_MEASURE_WORKER_RUN_H

#include "npu-bench/bench.h"

/*
 * Opens the model, measures and closes it.  Fills *r and its samples, and
 * leaves it at PHASE_OVER, even if the run fails.  The device is cmd_device's;
 * output of the vendor's library is captured (cmd_claim_stdout()).  Prints only
 * notes and, after a failure or with -v, the library's output.  Call once in a
 * process.
 */
void worker_run(struct bench_run *r, const struct bench_plan *p,
    const struct bench_load *l);

#endif
