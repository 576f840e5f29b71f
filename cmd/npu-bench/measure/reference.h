/* SPDX-License-Identifier: Apache-2.0 */
/* --ref: compares the model's outputs with the expected ones. */
#ifndef NPU_BENCH_MEASURE_REFERENCE_H
#define NPU_BENCH_MEASURE_REFERENCE_H

#include "npu-bench/bench.h"

/*
 * Reads file as reference_compare() will, to find errors before a measurement.
 * out is npu_output_size() zeros.  A pipe can be read only once and is not read
 * here.
 */
int reference_check(const struct npu *npu, const void *out, const char *file,
    struct npu_err *err);

/*
 * Compares out, npu_output_size() bytes, with the frame of the file plan->ref,
 * as real numbers; sets r->ref_cos and r->ref_max.  Returns EXIT_VERDICT, with
 * a line in *err, if the output breaks plan->tol; a negative code if the file
 * cannot be read or does not fit the model's outputs.
 */
int reference_compare(const struct npu *npu, const void *out,
    const struct bench_plan *plan, struct bench_run *r, struct npu_err *err);

#endif
