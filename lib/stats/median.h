/* SPDX-License-Identifier: Apache-2.0 */
/* The middle of numbers, and how far from it they lie. */
#ifndef STATS_MEDIAN_H
#define STATS_MEDIAN_H

#include <stddef.h>

/*
 * The median of the n >= 1 numbers at x, none NaN, which are reordered: the one
 * in the middle, the mean of the two of an even number.
 */
double stats_median(double *x, size_t n);

/*
 * The median of their distances from centre (MAD), which replace them.  Not
 * scaled: of normally distributed numbers the standard deviation is 1.4826
 * times as much.
 */
double stats_mad(double *x, size_t n, double centre);

#endif
