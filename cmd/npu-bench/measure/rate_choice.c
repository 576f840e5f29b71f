// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "rate_choice.h"
#include "stats/beta.h"
#include "stats/percentile.h"

enum {
	LEAST = 8,		/* trials near the crossing */
	BOUNDS = 50,		/* length of a trial, in bounds: a 2 %
				   overload is then late at its end */
	SKIPPED = 10,		/* length of the part that is not counted, in
				   bounds */
	PARTS = 12,		/* a trial takes at most 1/PARTS of the
				   search's time */
	GROWTH = 6,		/* the next trial has 1/GROWTH of the
				   arrivals near the centre, or more */
};
static const double seconds = 1;	/* least duration of the arrivals in
					   a trial */
static const double fewest = 1.0 / 64;	/* part of the first rate */
static const double most = 1e6;		/* arrivals a second */
static const double narrow = 1.15;	/* from where on trials are pooled */
static const double stride = 0.1;	/* largest step of the centre at a
					   time */
static const double wanted = 1.08;	/* high / low */
/* Greater precision is not possible: clocks and temperature change, and a trial
 * that begins with an empty queue favours high rates. */
static const double least_width = 0.035;	/* to either side */
static const double confidence = 0.99;	/* the search ends where the interval
					   is narrow, which reduces it */
static const double groups = 0.5;	/* of late arrivals, in a trial, at
					   least */
static const double clustered = 3;	/* late arrivals in one group */
static const double margin = 1.1;	/* applied to the result of single
					   trials */
static const double doubt = 1e-3;	/* for the conclusion that no rate
					   keeps the bound */

void
rate_choice_start(struct rate_choice *c, const struct rate_goal *g)
{
	*c = (struct rate_choice){ .goal = *g, .broken = INFINITY,
	    .part = 1 - (double)g->percentile / (100.0 * PERCENT) };
}

/* ---- The next trial ----------------------------------------------------- */

static bool
is_narrow(const struct rate_choice *c)
{
	return c->broken <= c->kept * narrow;
}

static double
next_rate(const struct rate_choice *c)
{
	if (c->points == 0)
		return c->goal.first;
	if (is_narrow(c)) {
		double away = c->nears < CROSSING_LEAST ? 0.05 :
		    fmin(fmax(0.6 / c->near.slope, 0.02), 0.25);

		return exp(c->centre + (c->side ? away : -away));
	}
	if (isinf(c->broken))
		return 2 * c->kept;
	return c->kept == 0 ? c->broken / 2 : sqrt(c->kept * c->broken);
}

/* Returns the arrivals for so many times the bound, or for the part of the time
 * that a trial may take. */
static double
arrivals_of(const struct rate_choice *c, double rate, double bounds)
{
	double s = (double)c->goal.bound_ns * bounds / 1e9;

	if (c->goal.most_ns != 0)
		s = fmin(s, (double)c->goal.most_ns / PARTS / 1e9 * bounds /
		    (BOUNDS + SKIPPED));
	return rate * s;
}

/* True if the rate is near the centre.  Nearness is by the logarithm of the
 * rate, and chosen such that the late part grows as at the centre. */
static bool
is_near(const struct rate_choice *c, double x)
{
	double far = c->nears < CROSSING_LEAST ? 0.2 :
	    fmin(fmax(1.5 / c->near.slope, 0.1), 0.7);

	return fabs(x - c->centre) < far;
}

/* Returns the number of counted arrivals near the centre. */
static double
counted_near(const struct rate_choice *c)
{
	double n = 0;

	for (unsigned i = 0; i < c->points; i++)
		if (is_near(c, c->point[i].x))
			n += c->point[i].n;
	return n;
}

static void
size_trial(const struct rate_choice *c, struct rate_trial *t)
{
	double n = (double)percentile_need(c->goal.percentile, RATE_OVER);
	double skip = arrivals_of(c, t->rate, SKIPPED);
	double room = (double)c->goal.room;

	n = fmax(n, fmax(t->rate * seconds, arrivals_of(c, t->rate, BOUNDS)));
	if (is_narrow(c))
		n = fmax(n, fmax(counted_near(c) / GROWTH,
		    groups * c->near.dispersion / c->part));
	if (n + skip > room) {
		skip = fmax(fmin(skip, fmin(room / 6, room - (double)
		    percentile_need(c->goal.percentile, 1))), 0);
		n = room - skip;
	}
	t->skip = (uint64_t)skip;
	t->n = (uint64_t)n + t->skip;
	t->most_late = (uint64_t)(4 * c->part * n) + 4 * RATE_OVER + t->skip;
}

static bool
is_over(const struct rate_choice *c)
{
	return c->over || c->none || c->points == BENCH_TRIALS ||
	    (c->goal.most_ns != 0 && c->ns >= c->goal.most_ns);
}

bool
rate_choice_next(struct rate_choice *c, struct rate_trial *t)
{
	if (is_over(c))
		return false;
	*t = (struct rate_trial){ .rate = next_rate(c) };
	if (c->goal.most_ns != 0)
		t->most_ns = c->goal.most_ns - c->ns;
	size_trial(c, t);
	return true;
}

/* ---- What it has shown -------------------------------------------------- */

/* True if even arrivals that did not wait for others are late. */
static bool
is_late_alone(const struct rate_choice *c)
{
	return c->alone_late > 0 && 1 - binomial_at_most(
	    (size_t)c->alone_late - 1, (size_t)c->alone, 1 - c->part,
	    c->part) < doubt;
}

static void
widen(struct rate_choice *c, double rate)
{
	const struct crossing_point *p = &c->point[c->points - 1];

	if (p->k > c->part * p->n)
		c->broken = fmin(c->broken, rate);
	else
		c->kept = fmax(c->kept, rate);
	c->none = c->kept == 0 && c->broken / 2 < c->goal.first * fewest;
	c->over = c->kept * 2 > most && isinf(c->broken);
	if (is_narrow(c))
		c->centre = log(c->kept * c->broken) / 2;
}

/* True if the crossing is known on both sides. */
static bool
is_fit(const struct rate_choice *c)
{
	return c->nears >= LEAST && isfinite(c->near.low) &&
	    isfinite(c->near.high);
}

/* Fits the trials near the centre, which moves to where they cross. */
static void
fit(struct rate_choice *c)
{
	struct crossing_point p[BENCH_TRIALS];
	unsigned n = 0;

	for (unsigned i = 0; i < c->points; i++)
		if (is_near(c, c->point[i].x))
			p[n++] = c->point[i];
	c->nears = n;
	if (crossing_of(p, n, c->part, confidence, &c->near))
		c->centre = fmin(fmax(c->near.x, c->centre - stride),
		    c->centre + stride);
}

void
rate_choice_add(struct rate_choice *c, const struct rate_trial *t,
    const struct rate_counts *counts)
{
	bool was_narrow = is_narrow(c);
	struct rate_answer a;

	c->ns += counts->ns;
	c->alone += counts->alone;
	c->alone_late += counts->alone_late;
	c->completed = fmax(c->completed, counts->completed);
	if (counts->n + t->skip < t->n && counts->late + t->skip < t->most_late)
		return;		/* the trial was cut short */
	c->point[c->points++] = (struct crossing_point){ log(t->rate),
	    (double)counts->n, (double)counts->late };
	if (!was_narrow)
		widen(c, t->rate);
	c->none = c->none || is_late_alone(c);
	if (!is_narrow(c))
		return;
	fit(c);
	c->side = !c->side;
	rate_choice_answer(c, &a);
	c->over = is_fit(c) && a.high <= a.low * wanted;
}

/* ---- The answer --------------------------------------------------------- */

/* True if so few arrivals of the trials from rate to some higher rate were late
 * that rate keeps the bound. */
static bool
is_kept(const struct rate_choice *c, double x)
{
	for (unsigned i = 0; i < c->points; i++) {
		double n = 0, k = 0;

		for (unsigned j = 0; j < c->points; j++)
			if (c->point[j].x >= x &&
			    c->point[j].x <= c->point[i].x) {
				n += c->point[j].n / clustered;
				k += c->point[j].k / clustered;
			}
		if (k < (double)percentile_over(c->goal.percentile, (size_t)n))
			return true;
	}
	return false;
}

/* True if a trial alone shows that its rate does not keep the bound. */
static bool
is_broken(const struct rate_choice *c, const struct crossing_point *p)
{
	return p->k >= 2 * RATE_OVER && p->k > 3 * c->part * p->n;
}

/* Chooses a rate while there are too few trials for a fit. */
static void
answer_by_trials(const struct rate_choice *c, struct rate_answer *a)
{
	for (unsigned i = 0; i < c->points; i++)
		if (is_broken(c, &c->point[i]))
			a->high = fmin(a->high, exp(c->point[i].x) * margin);
	for (unsigned i = 0; i < c->points; i++)
		if (exp(c->point[i].x) < a->high &&
		    is_kept(c, c->point[i].x))
			a->low = fmax(a->low, exp(c->point[i].x) / margin);
}

void
rate_choice_answer(const struct rate_choice *c, struct rate_answer *a)
{
	*a = (struct rate_answer){ 0, INFINITY, c->none };
	if (c->none)
		return;
	if (is_fit(c)) {
		a->low = exp(fmin(c->near.low, c->near.x - least_width));
		a->high = exp(fmax(c->near.high, c->near.x + least_width));
	} else {
		answer_by_trials(c, a);
	}
	a->low = fmin(a->low, c->completed);
}

/* ---- Counting ----------------------------------------------------------- */

void
rate_count(const struct bench_sample *s, uint64_t n, uint64_t failed,
    const struct rate_goal *g, const struct rate_trial *t,
    struct rate_counts *counts)
{
	uint64_t end = 0;

	*counts = (struct rate_counts){ .n = failed, .late = failed };
	for (uint64_t i = 0; i < n; i++) {
		bool late = s[i].end - s[i].due > g->bound_ns;

		counts->alone += s[i].due >= end;
		counts->alone_late += s[i].due >= end && late;
		counts->n += i >= t->skip;
		counts->late += i >= t->skip && late;
		end = s[i].end > end ? s[i].end : end;
	}
	if (n > 0)
		counts->completed = (double)n * 1e9 /
		    (double)(end - s[0].begin);
}
