/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Observed percentiles, and bounds for the percentiles of the population that
 * the samples came from, for any distribution.
 *
 * A percentage is an integer in millionths, 99.9 is 99900000, because a rank
 * must not depend on how a fraction is rounded.  Ranks count from 1, the
 * smallest sample.
 */
#ifndef STATS_PERCENTILE_H
#define STATS_PERCENTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "npu.h"

#define PERCENT UINT32_C(1000000)	/* 1 % */

/* Parses a percentage above 0 and at most 100, with at most 6 decimals.  Fails
 * with NPU_EUSAGE for any other text. */
int percent_parse(const char *s, uint32_t *p, struct npu_err *err);

/* Returns the rank of percentile p of n >= 1 samples: ceil(p / 100 * n). */
size_t percentile_rank(uint32_t p, size_t n);

/*
 * Implements LoadGen's early stopping (mlcommons/inference,
 * loadgen/early_stopping.cc) with c = 0.99, d = 0: returns the largest t with
 * P[Binomial(n, 1 - p) <= t] <= 0.01.  With a confidence of 99 % or a little
 * more, the t-th largest sample is then not less than the percentile.  Returns
 * 0 if n is too small for t = 1.
 */
size_t percentile_over(uint32_t p, size_t n);

/* Returns the smallest n for which percentile_over() is t >= 1; 0 if p is 100,
 * where no n is enough. */
size_t percentile_need(uint32_t p, size_t t);

/*
 * Ranks of the samples between which the percentile lies with at least the
 * given confidence.  At most half of the remaining probability lies on either
 * side.  0: the n samples have no bound on that side.
 */
struct ranks {
	size_t low, high;
};
struct ranks percentile_interval(uint32_t p, size_t n, double confidence);

#define PERCENTILE_CONFIDENCE 0.95	/* of low and high below */

/* NAN: unknown with so few samples. */
struct percentile {
	uint32_t p;
	size_t need;		/* samples needed; 0: no number has a ucb */
	double value;		/* observed; NAN with fewer than needed */
	double ucb;		/* 99 % upper confidence bound */
	double low, high;
};

/* Computes percentile p of n >= 1 samples, sorted in ascending order. */
void percentile_of(const double *sorted, size_t n, uint32_t p,
    struct percentile *out);

#endif
