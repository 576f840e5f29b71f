/* SPDX-License-Identifier: Apache-2.0 */
/* The median of numbers, and their median distance from a centre. */
#ifndef STATS_MEDIAN_H
#define STATS_MEDIAN_H

#include <stddef.h>

/*
 * Returns the median of the n >= 1 numbers at x, which must not contain NaN and
 * are reordered: the middle number, or the mean of the middle two if n is even.
 */
double stats_median(double *x, size_t n);

/*
 * Returns the median distance of the numbers from centre (MAD); the distances
 * replace the numbers.  The result is not scaled: for normally distributed
 * numbers the standard deviation is 1.4826 times the MAD.
 */
double stats_mad(double *x, size_t n, double centre);

#endif
