// SPDX-License-Identifier: Apache-2.0
/* Random arrivals: they are equal on every machine, and have the right
 * distribution. */
#include <math.h>
#include <stddef.h>

#include "stats/poisson.h"
#include "tap.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Rosetta Code, "Pseudo-random numbers/Splitmix64", seed 1234567. */
static const uint64_t reference[] = { UINT64_C(6457827717110365317),
    UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
    UINT64_C(4593380528125082431), UINT64_C(16408922859458223821) };

/* Seed 42, calculated in Python, whose integers are unbounded: von Neumann's
 * runs, and then fractions of 20 ms, rounded. */
static const uint64_t exponentials[] = { UINT64_C(159852940860143469),
    UINT64_C(24494612803173757), UINT64_C(14764733013383961),
    UINT64_C(36994088930590278), UINT64_C(47929786793912206),
    UINT64_C(6732172061354090) };
static const uint64_t fifty[] = { 44368104, 51166725, 55264762, 65532684,
    78835872, 80704425 };
#define LAST UINT64_C(2001664874296)	/* after 100,000 arrivals */

static void
everywhere(void)
{
	struct poisson p;
	uint64_t state = 1234567, last = 0;
	bool same = true;

	for (size_t i = 0; i < COUNT(reference); i++)
		same &= random_bits(&state) == reference[i];
	ok(same, "random_bits() returns the numbers of splitmix64");
	state = 42;
	for (size_t i = 0; i < COUNT(exponentials); i++)
		same &= random_exponential(&state) == exponentials[i];
	ok(same,
	    "random_exponential() returns the numbers that Python calculated");
	poisson_start(&p, 42, 50);
	for (size_t i = 0; i < COUNT(fifty); i++)
		same &= (last = poisson_next(&p)) == fifty[i];
	ok(same, "arrivals at 50 per second come at the expected times");
	for (size_t i = COUNT(fifty); i < 100000; i++)
		last = poisson_next(&p);
	ok(last == LAST, "the 100,000th arrival comes at the expected time");
	poisson_start(&p, 43, 50);
	ok(poisson_next(&p) != fifty[0], "another seed gives other arrivals");
}

/* Counts how many of many gaps are below x times the mean, and compares with 1
 * - exp(-x). */
static void
distributed(void)
{
	enum { GAPS = 200000 };
	double at[] = { 0.01, 0.1, 0.5, 0.693147, 1, 1.5, 2.5, 4, 7 };
	size_t below[COUNT(at)] = { 0 };
	double sum = 0, products = 0, before = 0;
	uint64_t state = 7;

	for (size_t i = 0; i < GAPS; i++) {
		double g = (double)random_exponential(&state) * 0x1p-56;

		sum += g;
		products += (g - 1) * (before - 1);
		before = g;
		for (size_t k = 0; k < COUNT(at); k++)
			below[k] += g < at[k];
	}
	/* The tolerance is four standard deviations. */
	ok(fabs(sum / GAPS - 1) < 4 / sqrt(GAPS), "the mean gap is 1: %g",
	    sum / GAPS);
	ok(fabs(products / GAPS) < 4 / sqrt(GAPS),
	    "gaps are independent: correlation %g",
	    products / GAPS);
	for (size_t k = 0; k < COUNT(at); k++) {
		double p = 1 - exp(-at[k]), got = (double)below[k] / GAPS;

		ok(fabs(got - p) < 4 * sqrt(p * (1 - p) / GAPS),
		    "a share of %g of the gaps is below %g, expected %g",
		    got, at[k], p);
	}
}

static void
rates(void)
{
	struct poisson p;
	uint64_t slow;

	poisson_start(&p, 42, 1e-6);
	slow = poisson_next(&p);
	/* 2.21840522 gaps as above, of 1e15 ns each */
	ok(slow / 1000000000 == 2218405,
	    "a rate of one arrival in 11 days works: %llu ns",
	    (unsigned long long)slow);
	poisson_start(&p, 42, 1e9);
	ok(poisson_next(&p) == 2 && poisson_next(&p) == 2 &&
	    poisson_next(&p) == 2 && poisson_next(&p) == 3,
	    "a rate of one arrival a nanosecond works");
}

int
main(void)
{
	everywhere();
	distributed();
	rates();
	return done();
}
