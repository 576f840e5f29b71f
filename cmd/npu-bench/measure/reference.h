/* SPDX-License-Identifier: Apache-2.0 */
/* --ref: whether what the measured model answers is what it should. */
#ifndef NPU_BENCH_MEASURE_REFERENCE_H
#define NPU_BENCH_MEASURE_REFERENCE_H

#include "npu-bench/bench.h"

/*
 * Compares out, npu_output_size() bytes, with the first frame of plan->ref, as
 * real numbers: r->ref_cos and r->ref_max.  EXIT_VERDICT, and a line in *err,
 * if plan->tol is broken; negative if the file cannot be read or is none of the
 * model's outputs.
 */
int reference_compare(const struct npu *npu, const void *out,
    const struct bench_plan *plan, struct bench_run *r, struct npu_err *err);

#endif
