/* SPDX-License-Identifier: Apache-2.0 */
/* --find-rate: the highest rate of arrivals that keeps the bound. */
#ifndef NPU_BENCH_MEASURE_RATE_SEARCH_H
#define NPU_BENCH_MEASURE_RATE_SEARCH_H

#include "load.h"

/*
 * Doubles the rate until the bound is broken, then halves the distance until
 * the two are 2 % apart (as LoadGen's "Find Peak Performance Mode").  What was
 * tried is in r->trial, the highest that kept it, or if none did the lowest, in
 * r->rate.  The samples' memory of *r is used meanwhile.
 */
int rate_search(struct meter *m, struct bench_run *r, struct npu_err *err);

#endif
