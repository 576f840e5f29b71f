/* SPDX-License-Identifier: Apache-2.0 */
/* --self-check: whether the gate is right where the truth is known. */
#ifndef NPU_BENCH_SELF_CHECK_H
#define NPU_BENCH_SELF_CHECK_H

#include "rounds.h"

/*
 * After same, which compared the models with themselves: on the emulator, again
 * with inferences that take longer on side B, which must be a regression.
 * Returns the exit status of both comparisons.
 */
int self_check(const struct bench *same, const struct npu_bench_options *o,
    char **argv, struct rounds_result *result);

#endif
