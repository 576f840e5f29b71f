/* SPDX-License-Identifier: Apache-2.0 */
/* What the exit status of npu-bench says of its runs. */
#ifndef BENCH_STATUS_H
#define BENCH_STATUS_H

#include "bench_rounds.h"
#include "bench_stage.h"

/* What is wrong, and is in no report, is said on stderr. */
int bench_status(const struct bench_options *o, const struct bench *b,
    const struct bench_stats *s, const struct bench_end *end);

#endif
