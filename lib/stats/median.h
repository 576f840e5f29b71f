/* SPDX-License-Identifier: Apache-2.0 */
/* The median of numbers, and their median distance from it. */
#ifndef STATS_MEDIAN_H
#define STATS_MEDIAN_H

#include <stddef.h>

/*
 * The median of the n >= 1 numbers at x, none NaN, which are reordered: the
 * middle one, or the mean of the middle two if n is even.
 */
double stats_median(double *x, size_t n);

/*
 * The median of their distances from centre (MAD), which replace them.  Not
 * scaled: for normally distributed numbers the standard deviation is 1.4826
 * times as much.
 */
double stats_mad(double *x, size_t n, double centre);

#endif
