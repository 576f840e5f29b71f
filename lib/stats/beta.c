// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "stats/beta.h"

#define TWO_PI 6.283185307179586477

/* ---- The power, as in Loader's paper ---------------------------------- */

/*
 * Returns the error of Stirling's formula for ln(gamma(a)): by the series of
 * DLMF 5.11.1 if a is large enough for all digits, and for smaller a by
 * gamma(a + 1) = a gamma(a).  Differences of these errors keep the digits that
 * differences of lgamma() lose.
 */
static double
stirling_rest(double a)
{
	double down = 0, s;

	while (a < 16) {
		down += (a + 0.5) * log1p(1 / a) - 1;
		a += 1;
	}
	s = 1 / (a * a);
	return down + (1 / 12.0 - s * (1 / 360.0 - s * (1 / 1260.0 -
	    s * (1 / 1680.0 - s / 1188)))) / a;
}

/* Returns a ln(a / m) + m - a, which is small if a is near m: C. Loader, "Fast
 * and accurate computation of binomial probabilities" (2000). */
static double
deviance(double a, double m)
{
	double v = (a - m) / (a + m), sum = (a - m) * v, term = 2 * a * v;

	if (!(fabs(a - m) < 0.1 * (a + m)))
		return a * log(a / m) + m - a;
	for (int j = 3; j < 100; j += 2) {
		double next = sum + (term *= v * v) / j;

		if (next == sum)
			break;
		sum = next;
	}
	return sum;
}

double
beta_power(double x, double y, double a, double b)
{
	double n = a + b;

	if (x <= 0 || y <= 0)
		return 0;
	return sqrt(a / n * b / TWO_PI) * exp(stirling_rest(n) -
	    stirling_rest(a) - stirling_rest(b) - deviance(a, n * x) -
	    deviance(b, n * y));
}

/* ---- The fraction ----------------------------------------------------- */

/* The value f of a continued fraction, and the two quotients of Lentz's
 * method. */
struct lentz {
	double c, d, f;
};

static double
not_zero(double v)
{
	return fabs(v) < 1e-300 ? 1e-300 : v;
}

/* Adds a partial numerator; all denominators are 1.  Returns the factor. */
static double
lentz_next(struct lentz *l, double u)
{
	l->d = 1 / not_zero(1 + u * l->d);
	l->c = not_zero(1 + u / l->c);
	l->f *= l->c * l->d;
	return l->c * l->d;
}

/* Returns a I_x(a, b) / power by DLMF 8.17.22.  The fraction converges quickly
 * for x left of the middle, and in about sqrt(a + b) steps in the middle. */
static double
fraction(double x, double a, double b)
{
	struct lentz l = { INFINITY, 1, 1 };

	for (int i = 0; i < 1000000; i++) {
		double m = i, k = a + 2 * m, n = m + 1;

		lentz_next(&l, -(a + m) * (a + b + m) * x / (k * (k + 1)));
		if (fabs(lentz_next(&l, n * (b - n) * x / ((k + 1) *
		    (k + 2))) - 1) < 2e-16)
			break;
	}
	return l.f;
}

double
beta_below(double x, double y, double a, double b)
{
	if (x <= 0)
		return 0;
	if (y <= 0)
		return 1;
	if (x > (a + 1) / (a + b + 2))
		return 1 - beta_power(x, y, a, b) / b * fraction(y, b, a);
	return beta_power(x, y, a, b) / a * fraction(x, a, b);
}

double
binomial_at_most(size_t k, size_t n, double p, double q)
{
	if (k >= n)
		return 1;
	/* DLMF 8.17.5 */
	return beta_below(p, q, (double)(n - k), (double)k + 1);
}
