/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --self-check: tests whether the gate is right in cases with a known result.
 */
#ifndef NPU_BENCH_SELF_CHECK_H
#define NPU_BENCH_SELF_CHECK_H

#include "rounds.h"

/*
 * Makes the second comparison, after *same compared the models with themselves.
 * On the emulator, inferences of side B now take longer, which must be a
 * regression.  Returns the exit status of both comparisons.
 */
int self_check(const struct bench *same, const struct npu_bench_options *o,
    char **argv, struct rounds_result *result);

#endif
