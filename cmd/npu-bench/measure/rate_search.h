/* SPDX-License-Identifier: Apache-2.0 */
/* --find-rate: searches the highest rate of arrivals that keeps the bound. */
#ifndef NPU_BENCH_MEASURE_RATE_SEARCH_H
#define NPU_BENCH_MEASURE_RATE_SEARCH_H

#include "load.h"

/*
 * Doubles the rate until the bound is broken, then bisects until two rates are
 * 2 % apart (as LoadGen's "Find Peak Performance Mode").  r->trial has the
 * trials; r->rate the highest rate that kept the bound, or if none did, the
 * lowest that was tried.  Uses the memory of r's samples.
 */
int rate_search(struct meter *m, struct bench_run *r, struct npu_err *err);

#endif
