/* SPDX-License-Identifier: Apache-2.0 */
/* --find-rate: searches the highest rate of arrivals that keeps the bound. */
#ifndef NPU_BENCH_MEASURE_RATE_SEARCH_H
#define NPU_BENCH_MEASURE_RATE_SEARCH_H

#include "load.h"

/*
 * Measures what rate_choice.h asks for, until the rate is known well enough or
 * the plan's most_ns have passed.  r->search has the trials and the answer;
 * r->load.rate the lower end of it, or if that is not known, the lowest rate
 * that was tried.  Uses the memory of r's samples.
 */
int rate_search(struct meter *m, struct bench_run *r, struct npu_err *err);

/* Arrivals of a trial, at least: the fifth largest latency bounds the
 * percentile. */
uint64_t rate_search_samples(const struct bench_plan *p);

#endif
