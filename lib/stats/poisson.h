/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Poisson arrivals: at random, independently, at a given mean rate.  The same
 * seed gives the same nanoseconds on every machine, because they are drawn with
 * integers: log() may differ in its last digit.
 */
#ifndef STATS_POISSON_H
#define STATS_POISSON_H

#include <stdint.h>

struct poisson {
	uint64_t state;
	double gap;		/* mean, ns */
	uint64_t at;		/* the last arrival, ns from the start */
};

/* rate: arrivals a second, 1e-6 to 1e9. */
void poisson_start(struct poisson *p, uint64_t seed, double rate);

/* The time of the next arrival, in ns from the start. */
uint64_t poisson_next(struct poisson *p);

/*
 * Its parts: 64 random bits, after which state is changed; and from them an
 * exponentially distributed number with a mean of 1, as a multiple of 2^-56.
 */
uint64_t random_bits(uint64_t *state);
uint64_t random_exponential(uint64_t *state);

#endif
