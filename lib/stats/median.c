// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "stats/median.h"

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double
stats_median(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), by_value);
	/* Halve before adding, because a sum could overflow. */
	return n % 2 == 1 ? x[n / 2] : x[n / 2 - 1] / 2 + x[n / 2] / 2;
}

double
stats_mad(double *x, size_t n, double centre)
{
	for (size_t i = 0; i < n; i++)
		x[i] = fabs(x[i] - centre);
	return stats_median(x, n);
}
