/* SPDX-License-Identifier: Apache-2.0 */
/* What the measured model is given: the same frame each time. */
#ifndef NPU_BENCH_MEASURE_INPUT_H
#define NPU_BENCH_MEASURE_INPUT_H

#include "npu-bench/bench.h"

/*
 * npu_input_size() bytes at in: the first frame of plan->input, or drawn from
 * plan->seed.  Of whole numbers of up to 16 bits every value is drawn; of wider
 * ones, which are ids more often than not, 0 to 255, which every table has; of
 * real ones -1 up to 1.
 */
int input_make(const struct npu *npu, const struct bench_plan *plan, void *in,
    struct npu_err *err);

#endif
