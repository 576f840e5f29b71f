// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "stats/beta.h"
#include "stats/student.h"

/* The logarithm of the largest t whose square is finite. */
#define FARTHEST (150 * 2.302585092994046)

/* Returns P[T > t] for the t whose logarithm is u, and sets *slope to t times
 * the density. */
static double
student_tail(double u, double df, double *slope)
{
	double t = exp(u), w = t / df * t, x = 1 / (1 + w), y = w / (1 + w);

	*slope = beta_power(x, y, df / 2, 0.5);
	return beta_below(x, y, df / 2, 0.5) / 2;
}

static double
normal_tail(double u, double unused, double *slope)
{
	double z = exp(u);

	(void)unused;
	*slope = z * 0.3989422804014327 * exp(-z * z / 2);
	return erfc(z * 0.7071067811865475) / 2;
}

/*
 * Solves for ln(t) by Newton's method.  ln(P[T > t]) is a decreasing and
 * concave function of ln(t), so Newton's steps converge from the right.  A step
 * from the left may go so far that the tail becomes 0: steps are therefore
 * limited, and the limit shrinks.
 */
static double
find(double above, double df, double (*tail)(double, double, double *))
{
	double u = 0, longest = 1;

	for (int i = 0; i < 1000 && u < FARTHEST; i++) {
		double slope, rest = tail(u, df, &slope), step;

		if (rest > 0)
			step = fmin(log(rest / above) * rest / slope, longest);
		else
			step = -(longest /= 2);
		u += step;
		if (fabs(step) < 1e-9)
			return exp(u);
	}
	return INFINITY;
}

/*
 * Returns the quantile for a df so large that the tail loses digits: the
 * quantile of the normal distribution with a correction, Abramowitz and Stegun
 * 26.7.5.
 */
static double
quantile_of_many(double above, double df)
{
	double z = find(above, 0, normal_tail), s = z * z;
	double g1 = (s + 1) / 4, g2 = ((5 * s + 16) * s + 3) / 96;
	double g3 = (((3 * s + 19) * s + 17) * s - 15) / 384;

	return z * (1 + (g1 + (g2 + g3 / df) / df) / df);
}

/* Returns the t above which this part of the distribution lies; above < 0.5. */
static double
quantile_above(double above, double df)
{
	return df > 1e5 ? quantile_of_many(above, df) :
	    find(above, df, student_tail);
}

double
student_quantile(double p, double df)
{
	if (!(p > 0 && p < 1 && df > 0))
		return NAN;
	if (p == 0.5)
		return 0;
	return p < 0.5 ? -quantile_above(p, df) : quantile_above(1 - p, df);
}
