// SPDX-License-Identifier: Apache-2.0
/*
 * Finds where a proportion crosses its limit.  The counts lie on a logistic
 * function, or are drawn at random; then the test measures how often the
 * interval contains the true crossing.
 */
#include <math.h>
#include <stdint.h>

#include "stats/crossing.h"
#include "stats/poisson.h"
#include "tap.h"

enum { POINTS = 10, TIMES = 200 };

static double
logistic(double u)
{
	return 1 / (1 + exp(-u));
}

/* Makes the expected counts for a proportion of 0.01 at x0, with this slope. */
static void
exact(struct crossing_point *p, size_t n, double x0, double slope)
{
	for (size_t i = 0; i < n; i++) {
		p[i].x = x0 + 0.05 * ((double)i - (double)n / 2);
		p[i].n = 1e6;
		p[i].k = p[i].n * logistic(log(0.01 / 0.99) +
		    slope * (p[i].x - x0));
	}
}

static void
on_the_function(void)
{
	struct crossing_point p[POINTS];
	struct crossing c;

	exact(p, POINTS, 4.5, 7);
	ok(crossing_of(p, POINTS, 0.01, 0.95, &c) &&
	    fabs(c.x - 4.5) < 1e-6 && fabs(c.slope - 7) < 1e-3 &&
	    c.dispersion == 1,
	    "points on a logistic function give its crossing and slope");
	/* sd of the logit: 1 / sqrt(sum of n f (1 - f)), about 1 / 330. */
	ok(c.low < 4.5 && c.high > 4.5 && c.high - c.low < 0.003,
	    "points on a logistic function give a narrow interval");
	ok(!crossing_of(p, CROSSING_LEAST - 1, 0.01, 0.95, &c),
	    "too few points give no crossing");
}

/* At the beginning of an overload, some arrivals are still in time. */
static void
overloaded(void)
{
	struct crossing_point p[POINTS + 1];
	struct crossing c;

	exact(p, POINTS, 4.5, 7);
	p[POINTS] = (struct crossing_point){ 6.5, 2000, 1200 };
	/* 1980 late arrivals are expected: (1980 - 1200)^2 / (2000 * 0.99 *
	 * 0.01) = 30727, with 9 degrees of freedom. */
	crossing_of(p, POINTS + 1, 0.01, 0.95, &c);
	ok(fabs(c.dispersion - 30727 / 9.0) < 300 && c.low < 4.5 &&
	    c.high > 4.5 && c.high - c.low < 0.3,
	    "a short trial of an overload increases the dispersion: %.0f, "
	    "interval from %.3f to %.3f", c.dispersion,
	    c.low, c.high);
}

/* No arrival is late at any rate, or all are: the crossing is outside the
 * rates. */
static void
on_one_side(void)
{
	struct crossing_point p[POINTS];
	struct crossing c;

	exact(p, POINTS, 0, 1);
	for (size_t i = 0; i < POINTS; i++)
		p[i].k = 0;
	ok(crossing_of(p, POINTS, 0.01, 0.95, &c) && isinf(c.high) &&
	    c.high > 0, "if no arrival is late, the interval has no upper end");
	for (size_t i = 0; i < POINTS; i++)
		p[i].k = p[i].n;
	ok(crossing_of(p, POINTS, 0.01, 0.95, &c) && isinf(c.low) &&
	    c.low < 0,
	    "if all arrivals are late, the interval has no lower end");
}

/* Draws n arrivals in groups of 'group'; each group is late with probability
 * 'part'.  Returns the number of late arrivals. */
static double
draw(uint64_t *state, unsigned n, double part, unsigned group)
{
	double k = 0;

	for (unsigned i = 0; i < n; i += group)
		k += (double)(random_bits(state) >> 11) * 0x1p-53 < part ?
		    group : 0;
	return k;
}

/* Returns the percentage of intervals that contain the crossing. */
static double
coverage(unsigned group)
{
	struct crossing_point p[POINTS];
	uint64_t state = group;
	struct crossing c;
	int held = 0;

	for (int t = 0; t < TIMES; t++) {
		exact(p, POINTS, 1, 6);
		for (size_t i = 0; i < POINTS; i++) {
			double part = p[i].k / p[i].n;

			p[i].n = 4000;
			p[i].k = draw(&state, 4000, part, group);
		}
		crossing_of(p, POINTS, 0.01, 0.95, &c);
		held += c.low <= 1 && 1 <= c.high;
	}
	return 100.0 * held / TIMES;
}

int
main(void)
{
	double alone, grouped;

	on_the_function();
	overloaded();
	on_one_side();
	if (brief())
		return done();
	alone = coverage(1);
	grouped = coverage(8);
	/* The standard deviation of 200 draws of 95 % is 1.5 points. */
	ok(alone > 92, "with independent arrivals, %.1f %% of the intervals "
	    "contain the crossing", alone);
	ok(grouped > 91, "with arrivals in groups of eight, %.1f %% of the "
	    "intervals contain the crossing", grouped);
	return done();
}
