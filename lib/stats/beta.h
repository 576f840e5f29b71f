/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The incomplete beta function, which gives the tails of Student's t and of the
 * binomial distribution.  y is 1 - x, a separate argument because either of x
 * and y may be near 0 and must keep its digits; a and b are > 0.
 *
 * Why this file, student.c and poisson.c exist: the GNU Scientific Library is
 * GPL-3, and with it our programs, which are Apache-2.0, would become GPL-3.
 * These files are written from DLMF 5.11 and 8.17 (NIST Digital Library of
 * Mathematical Functions), C. Loader's "Fast and accurate computation of
 * binomial probabilities" (2000), Abramowitz and Stegun 26.7.5, von Neumann's
 * "Various techniques used in connection with random digits" (1951), and
 * Steele, Lea and Flood's "Fast splittable pseudorandom number generators"
 * (2014).  Unit tests compare the results with values of other implementations.
 */
#ifndef STATS_BETA_H
#define STATS_BETA_H

#include <stddef.h>

/* Returns x^a y^b / B(a, b). */
double beta_power(double x, double y, double a, double b);

/* Returns the part of the beta distribution (a, b) below x: I_x(a, b), 0 to
 * 1. */
double beta_below(double x, double y, double a, double b);

/* Returns P[at most k of n], each with probability q; p is 1 - q. */
double binomial_at_most(size_t k, size_t n, double p, double q);

#endif
