// SPDX-License-Identifier: Apache-2.0
/* Quantiles of Student's t, compared with closed forms, a table and mpmath. */
#include <math.h>
#include <stddef.h>

#include "stats/beta.h"
#include "stats/student.h"
#include "tap.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define PI 3.14159265358979323846

static bool
near(double a, double b)
{
	return fabs(a - b) < 1e-11 * (1 + fabs(b));
}

/* Closed forms: the tangent of an angle for 1 degree; (2p - 1) / sqrt(2p (1 -
 * p)) for 2 degrees; Shaw (2006) for 4 degrees. */
static void
closed_forms(void)
{
	bool one = true, two = true, four = true;

	for (int i = 1; i < 1000; i++) {
		double p = i / 1000.0, a = 4 * p * (1 - p);
		double q = i == 500 ? 0 : copysign(2 * sqrt(cos(acos(sqrt(a)) /
		    3) / sqrt(a) - 1), p - 0.5);

		one &= near(student_quantile(p, 1), tan(PI * (p - 0.5)));
		two &= near(student_quantile(p, 2), (2 * p - 1) /
		    sqrt(2 * p * (1 - p)));
		four &= near(student_quantile(p, 4), q);
	}
	ok(one, "quantiles with 1 degree of freedom have their closed form");
	ok(two, "quantiles with 2 degrees of freedom have their closed form");
	ok(four, "quantiles with 4 degrees of freedom have their closed form");
	ok(near(student_quantile(1 - 1e-9, 1), 1 / tan(PI * (1 - (1 - 1e-9)))),
	    "the quantile of 1 - 1e-9 is precise");
	ok(near(student_quantile(1e-300, 2), -1 / sqrt(2e-300)),
	    "the quantile of 1e-300 is precise");
}

struct value {
	double p, df, t;
};

/* NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2. */
static const struct value printed[] = {
	{ 0.90, 3, 1.638 }, { 0.95, 5, 2.015 }, { 0.975, 9, 2.262 },
	{ 0.99, 10, 2.764 }, { 0.995, 18, 2.878 }, { 0.999, 8, 4.501 },
	{ 0.95, 30, 1.697 }, { 0.95, 100, 1.660 },
};

/* mpmath 1.2.1, 30 digits: the t at which the integral of the density, by
 * mp.quad, is p - 1/2. */
static const struct value computed[] = {
	{ 0.95, 3, 2.353363434801824 }, { 0.95, 2.7, 2.46388893627085 },
	{ 0.95, 7.3, 1.882930017956432 }, { 0.975, 5, 2.570581835636316 },
	{ 0.9875, 4, 3.495405932516438 }, { 0.95, 18, 1.734063606617539 },
	{ 0.99, 30, 2.457261542400591 }, { 0.95, 100, 1.66023432608534 },
	{ 0.995, 1000, 2.580754698065951 }, { 0.6, 9, 0.260955336473911 },
	{ 0.75, 0.5, 1.553773974030037 }, { 0.9995, 6, 5.95881617881876 },
	{ 0.95, 1e5, 1.64486886478497 }, { 0.999, 1e7, 3.090233121180912 },
	{ 0.95, 1e12, 1.644853626952996 }, { 0.99, 5e4, 2.3264224578136845 },
	{ 0.975, 1e9, 1.9599639869123255 }, { 0.99, 1e9, 2.3263478777699154 },
	{ 1e-300, 2e5, -37.110792120335704 },
	{ 1e-300, INFINITY, -37.047096299361199 },
	{ 1e-10, 200001, -6.36167064483227 },
};

static void
tables(void)
{
	for (size_t i = 0; i < COUNT(printed); i++) {
		const struct value *v = &printed[i];

		ok(fabs(student_quantile(v->p, v->df) - v->t) <= 0.0005,
		    "the quantile of %g with %g degrees of freedom is %g, as "
		    "printed", v->p, v->df, v->t);
	}
	for (size_t i = 0; i < COUNT(computed); i++) {
		const struct value *v = &computed[i];

		if (!ok(near(student_quantile(v->p, v->df), v->t),
		    "the quantile of %g with %g degrees of freedom is %.15g, "
		    "as computed", v->p, v->df, v->t))
			diag("%.15g", student_quantile(v->p, v->df));
	}
}

static void
edges(void)
{
	ok(student_quantile(0.5, 3) == 0, "the quantile of 0.5 is 0");
	ok(near(student_quantile(0.025, 5), -student_quantile(0.975, 5)),
	    "quantiles are symmetric");
	ok(isnan(student_quantile(0, 3)) && isnan(student_quantile(1, 3)) &&
	    isnan(student_quantile(NAN, 3)) && isnan(student_quantile(0.9, 0))
	    && isnan(student_quantile(0.9, NAN)),
	    "impossible arguments give NaN");
	ok(near(student_quantile(0.95, 1e5), student_quantile(0.95,
	    nextafter(1e5, 2e5))) && near(student_quantile(1 - 1e-9, 1e5),
	    student_quantile(1 - 1e-9, nextafter(1e5, 2e5))),
	    "quantiles are continuous at 1e5 degrees of freedom");
	ok(near(student_quantile(0.975, INFINITY), 1.959963984540054),
	    "infinite degrees of freedom give the normal distribution");
	ok(isinf(student_quantile(0.99, 0.01)),
	    "a quantile too large for a double is infinite");
	ok(beta_power(0, 1, 2, 3) == 0 && beta_power(1, 0, 2, 3) == 0,
	    "0 to any power is 0");
}

int
main(void)
{
	closed_forms();
	tables();
	edges();
	return done();
}
