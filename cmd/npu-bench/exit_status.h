/* SPDX-License-Identifier: Apache-2.0 */
/* Determines the exit status of npu-bench from its runs. */
#ifndef NPU_BENCH_EXIT_STATUS_H
#define NPU_BENCH_EXIT_STATUS_H

#include "npu-bench/measure/stage_stats.h"
#include "rounds.h"

/* Returns why --bound makes the status 4; NULL if it does not. */
const char *bound_failure(const struct bench *b);

/* Returns the exit status.  Prints on stderr problems that not every report
 * contains. */
int exit_status(const struct npu_bench_options *o, const struct bench *b,
    const struct bench_stats *s, const struct rounds_result *result);

#endif
