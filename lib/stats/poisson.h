/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Poisson arrivals: at random, independently, at a given mean rate.  The same
 * seed gives the same nanoseconds on every machine, because they are computed
 * with integers; the last digit of log() may differ between machines.
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

/* Returns the time of the next arrival, in ns from the start. */
uint64_t poisson_next(struct poisson *p);

/*
 * The parts of poisson_next().  random_bits() returns 64 random bits and
 * changes the state.  random_exponential() returns an exponentially distributed
 * number with a mean of 1, as a multiple of 2^-56.
 */
uint64_t random_bits(uint64_t *state);
uint64_t random_exponential(uint64_t *state);

#endif
