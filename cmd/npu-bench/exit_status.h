/* SPDX-License-Identifier: Apache-2.0 */
/* What the exit status of npu-bench says of its runs. */
#ifndef NPU_BENCH_EXIT_STATUS_H
#define NPU_BENCH_EXIT_STATUS_H

#include "npu-bench/measure/stage_stats.h"
#include "rounds.h"

/* What is wrong, and is in no report, is said on stderr. */
int exit_status(const struct npu_bench_options *o, const struct bench *b,
    const struct bench_stats *s, const struct rounds_result *result);

#endif
