/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Observed percentiles, and bounds of the percentiles of the population from
 * which the samples came, whatever its distribution.
 *
 * A percentage is counted in millionths, 99.9 as 99900000, so that the rank
 * does not depend on the rounding of a fraction.  Ranks are from 1, the
 * smallest sample.
 */
#ifndef STATS_PERCENTILE_H
#define STATS_PERCENTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "npu.h"

#define PERCENT UINT32_C(1000000)	/* 1 % */

/* Parses a percentage above 0 and at most 100, with at most 6 decimals.
 * NPU_EUSAGE: it is none. */
int percent_parse(const char *s, uint32_t *p, struct npu_err *err);

/* The rank of percentile p of n >= 1 samples: ceil(p / 100 * n). */
size_t percentile_rank(uint32_t p, size_t n);

/*
 * LoadGen's early stopping (mlcommons/inference, loadgen/early_stopping.cc)
 * with c = 0.99, d = 0: the largest t with P[Binomial(n, 1 - p) <= t] <= 0.01.
 * The t-th largest sample is then, with a confidence of 99 % or a little more,
 * no less than the percentile.  0: n is too small for t = 1.
 */
size_t percentile_over(uint32_t p, size_t n);

/* The least n for which percentile_over() is t >= 1; 0: none is, p is 100. */
size_t percentile_need(uint32_t p, size_t t);

/*
 * Order statistics between which the percentile lies with the given confidence
 * or more, at most half of the rest on either side; 0: the n samples have none
 * on that side.
 */
struct ranks {
	size_t low, high;
};
struct ranks percentile_interval(uint32_t p, size_t n, double confidence);

#define PERCENTILE_CONFIDENCE 0.95	/* of low and high below */

/* NAN: not known from so few samples. */
struct percentile {
	uint32_t p;
	size_t need;		/* samples needed; 0: no number has a ucb */
	double value;		/* observed; NAN of fewer than needed */
	double ucb;		/* 99 % upper confidence bound */
	double low, high;
};

/* For n >= 1 samples in order, the smallest first. */
void percentile_of(const double *sorted, size_t n, uint32_t p,
    struct percentile *out);

#endif
