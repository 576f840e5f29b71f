/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --find-rate: searches for the highest rate of arrivals that keeps the bound.
 */
#ifndef NPU_BENCH_MEASURE_RATE_SEARCH_H
#define NPU_BENCH_MEASURE_RATE_SEARCH_H

#include "load.h"

/*
 * Measures the trials of rate_choice.h until the rate is known well enough or
 * the plan's most_ns have passed.  Sets r->search to the trials and the answer,
 * and r->load.rate to the lower end of the answer, or, if that is unknown, to
 * the lowest rate that was tried.  Uses the memory of r's samples.
 */
int rate_search(struct meter *m, struct bench_run *r, struct npu_err *err);

/* Returns the least number of arrivals in a trial: the fifth largest latency
 * bounds the percentile. */
uint64_t rate_search_samples(const struct bench_plan *p);

#endif
