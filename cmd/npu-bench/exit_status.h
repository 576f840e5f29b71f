/* SPDX-License-Identifier: Apache-2.0 */
/* The exit status of npu-bench, from its runs. */
#ifndef NPU_BENCH_EXIT_STATUS_H
#define NPU_BENCH_EXIT_STATUS_H

#include "npu-bench/measure/stage_stats.h"
#include "rounds.h"

/* Why --bound makes the status 4; NULL: it does not. */
const char *bound_failure(const struct bench *b);

/* Prints on stderr what is wrong and not in every report. */
int exit_status(const struct npu_bench_options *o, const struct bench *b,
    const struct bench_stats *s, const struct rounds_result *result);

#endif
