// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "stats/crossing.h"
#include "stats/student.h"

enum { HALVINGS = 30 };
#define NEARLY_ALL 0.99
#define BEYOND 0.5		/* how far beyond the points to search */
#define FLATTEST 1.0		/* limits of the slope */
#define STEEPEST 200.0

struct fit {
	const struct crossing_point *p;
	size_t n;
	double logit;		/* logit of the part */
	double x, slope;
};

static double
part_at(const struct fit *f, double x)
{
	return 1 / (1 + exp(-f->logit - f->slope * (x - f->x)));
}

/*
 * Returns how many more things were counted than expected, weighted by the
 * distance from the crossing if by_distance.  Both sums are 0 where the
 * likelihood is greatest.
 */
static double
excess(const struct fit *f, bool by_distance)
{
	double sum = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct crossing_point *p = &f->p[i];

		sum += (p->k - p->n * part_at(f, p->x)) *
		    (by_distance ? p->x - f->x : 1);
	}
	return sum;
}

/* Sets the most likely slope of a crossing at x. */
static void
cross_at(struct fit *f, double x)
{
	double flat = log(FLATTEST), steep = log(STEEPEST);

	f->x = x;
	for (int i = 0; i < HALVINGS; i++) {
		double u = (flat + steep) / 2;

		f->slope = exp(u);
		*(excess(f, true) > 0 ? &flat : &steep) = u;
	}
}

static double
likelihood(const struct fit *f)
{
	double sum = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct crossing_point *p = &f->p[i];
		double u = f->logit + f->slope * (p->x - f->x);

		/* Without computing 1 - part, which may be 0. */
		sum += p->k * u - p->n * (u > 0 ? u + log1p(exp(-u)) :
		    log1p(exp(u)));
	}
	return sum;
}

/*
 * Returns Pearson's statistic divided by the degrees of freedom.  The part is
 * limited to NEARLY_ALL: if all things of a point were expected and a few were
 * not counted, this point would outweigh all others.
 */
static double
dispersion(const struct fit *f)
{
	double sum = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct crossing_point *p = &f->p[i];
		double part = fmin(part_at(f, p->x), NEARLY_ALL);
		double d = p->k - p->n * part;

		sum += d * d / (p->n * part * (1 - part));
	}
	return fmax(sum / (double)(f->n - 2), 1);
}

static void
likeliest(struct fit *f, double from, double to)
{
	for (int i = 0; i < HALVINGS; i++) {
		double x = (from + to) / 2;

		cross_at(f, x);
		*(excess(f, false) < 0 ? &from : &to) = x;
	}
}

/*
 * Returns the crossing farthest from the most likely crossing, toward end,
 * whose likelihood is not below least.  Returns an infinity if even a crossing
 * at end is that likely.
 */
static double
limit(const struct fit *best, double end, double least)
{
	struct fit f = *best;
	double near = best->x, far = end;

	cross_at(&f, end);
	if (likelihood(&f) >= least)
		return end < near ? -INFINITY : INFINITY;
	for (int i = 0; i < HALVINGS; i++) {
		double x = (near + far) / 2;

		cross_at(&f, x);
		*(likelihood(&f) >= least ? &near : &far) = x;
	}
	return far;
}

bool
crossing_of(const struct crossing_point *p, size_t n, double part,
    double confidence, struct crossing *c)
{
	struct fit f = { .p = p, .n = n, .logit = log(part / (1 - part)) };
	double from = INFINITY, to = -INFINITY, t, least;

	if (n < CROSSING_LEAST)
		return false;
	for (size_t i = 0; i < n; i++) {
		from = fmin(from, p[i].x - BEYOND);
		to = fmax(to, p[i].x + BEYOND);
	}
	likeliest(&f, from, to);
	c->x = f.x;
	c->slope = f.slope;
	c->dispersion = dispersion(&f);
	t = student_quantile(0.5 + confidence / 2, (double)(n - 2));
	least = likelihood(&f) - t * t / 2 * c->dispersion;
	c->low = limit(&f, from, least);
	c->high = limit(&f, to, least);
	return true;
}
