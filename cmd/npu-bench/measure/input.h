/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the measured model's input: the same frame for every inference. */
#ifndef NPU_BENCH_MEASURE_INPUT_H
#define NPU_BENCH_MEASURE_INPUT_H

#include "npu-bench/bench.h"

/*
 * Fills npu_input_size() bytes at in with the frame of the file plan->input, or
 * with random elements from plan->seed: integers of up to 16 bits from all
 * their values; wider integers, which are mostly ids, from 0 to 255, which
 * every table has; floats from -1 up to 1.
 */
int input_make(const struct npu *npu, const struct bench_plan *plan, void *in,
    struct npu_err *err);

#endif
