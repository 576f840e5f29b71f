/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The incomplete beta function, from which the tails of Student's t and of the
 * binomial distribution follow.  y is 1 - x, given so that neither loses its
 * digits near 0; a and b are > 0.
 */
#ifndef STATS_BETA_H
#define STATS_BETA_H

#include <stddef.h>

/* x^a y^b / B(a, b). */
double beta_power(double x, double y, double a, double b);

/* The part of the beta distribution (a, b) below x: I_x(a, b), 0 to 1. */
double beta_below(double x, double y, double a, double b);

/* P[at most k of n], each with probability q; p is 1 - q. */
double binomial_at_most(size_t k, size_t n, double p, double q);

#endif
