// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <string.h>

#include "stats/median.h"
#include "stats/percentile.h"
#include "stats/summary.h"

static void
moments(const double *x, struct summary *s)
{
	double sum = 0, squares = 0, products = 0, n = (double)s->n;

	for (size_t i = 0; i < s->n; i++)
		sum += x[i];
	s->mean = sum / n;
	for (size_t i = 0; i < s->n; i++) {
		double d = x[i] - s->mean;

		squares += d * d;
		if (i + 1 < s->n)
			products += d * (x[i + 1] - s->mean);
	}
	s->sd = s->n < 2 ? NAN : sqrt(squares / (n - 1));
	s->cov = s->mean == 0 ? NAN : s->sd / s->mean;
	s->correlation = squares == 0 ? 0 : products / squares;
	s->effective = n * (1 - s->correlation) / (1 + s->correlation);
}

static double
median_of(const double *x, size_t n, double *scratch)
{
	memcpy(scratch, x, n * sizeof(*x));
	return stats_median(scratch, n);
}

static double
drift_of(const double *x, size_t n, double *scratch)
{
	size_t third = n / 3;
	double before;

	if (third == 0)
		return NAN;
	before = median_of(x, third, scratch);
	if (before == 0)
		return NAN;
	return median_of(x + n - third, third, scratch) / before - 1;
}

/* Returns the number of samples that are more than margin below low or above
 * high. */
static size_t
outside(const double *x, size_t n, double low, double high, double margin)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += x[i] < low - margin || x[i] > high + margin;
	return count;
}

void
summary_of(const double *x, size_t n, double *sorted, struct summary *s)
{
	double fence, spread;

	*s = (struct summary){ .n = n, .first = x[0] };
	moments(x, s);
	s->drift = drift_of(x, n, sorted);
	s->median = median_of(x, n, sorted);
	s->mad = stats_mad(sorted, n, s->median);
	median_of(x, n, sorted);	/* leaves sorted in order */
	s->min = sorted[0];
	s->max = sorted[n - 1];
	s->q1 = sorted[percentile_rank(25 * PERCENT, n) - 1];
	s->q3 = sorted[percentile_rank(75 * PERCENT, n) - 1];
	fence = SUMMARY_FENCE * s->mad;
	spread = s->q3 - s->q1;
	s->outliers = outside(x, n, s->median, s->median, fence);
	s->mild = outside(x, n, s->q1, s->q3, 1.5 * spread);
	s->extreme = outside(x, n, s->q1, s->q3, 3 * spread);
	s->first_slow = s->first > s->median + fence;
}
