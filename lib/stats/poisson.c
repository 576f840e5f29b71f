// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdbool.h>

#include "stats/poisson.h"

/* splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators" (2014). */
uint64_t
random_bits(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Returns whether the descending run that begins with first has an odd
 * length. */
static bool
odd_run(uint64_t *state, uint64_t first)
{
	bool odd = true;
	uint64_t last = first, next;

	while ((next = random_bits(state)) < last) {
		last = next;
		odd = !odd;
	}
	return odd;
}

/*
 * J. von Neumann, "Various techniques used in connection with random digits"
 * (1951): a descending run from u has an odd length with probability exp(-u);
 * each run with an even length adds 1 to the number.
 */
uint64_t
random_exponential(uint64_t *state)
{
	uint64_t whole = 0, u;

	while (u = random_bits(state), !odd_run(state, u))
		whole++;
	return whole << 56 | u >> 8;
}

void
poisson_start(struct poisson *p, uint64_t seed, double rate)
{
	*p = (struct poisson){ .state = seed, .gap = 1e9 / rate };
}

uint64_t
poisson_next(struct poisson *p)
{
	double gaps = (double)random_exponential(&p->state) * 0x1p-56;

	return p->at += (uint64_t)llrint(gaps * p->gap);
}
