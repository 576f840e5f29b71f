/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ideal device, whose properties are known: Poisson arrivals, c cores, every
 * inference takes the same time, first come first served (M/D/c).  Searches of
 * --find-rate run on it without taking any time.
 *
 * The expected values come from formulas, without any of the code under test.
 * The number of inferences in the system is a Markov chain from one service
 * time to the next (C. D. Crommelin 1932).  The waiting time follows from it:
 * G. J. Franx, "A simple solution for the M/D/c waiting time distribution",
 * Operations Research Letters 29 (2001).
 */
#ifndef TESTS_UNIT_NPU_BENCH_IDEAL_QUEUE_H
#define TESTS_UNIT_NPU_BENCH_IDEAL_QUEUE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "npu-bench/measure/rate_choice.h"
#include "stats/poisson.h"

struct ideal {
	uint64_t ns;		/* of one inference */
	unsigned cores;
};

/* ---- Expected values ---------------------------------------------------- */

enum { STATES = 80 };		/* beyond, each state is rarer than the last by
				 * a constant ratio */

/* Returns 1 / z, where z > 1 and exp(a (z - 1)) = z^c: the ratio of states
 * beyond STATES. */
static double
tail_ratio(double a, unsigned c)
{
	double low = c / a, high = 2 * low;

	while (a * (high - 1) < c * log(high))
		high *= 2;
	for (int i = 0; i < 100; i++) {
		double z = (low + high) / 2;

		*(a * (z - 1) < c * log(z) ? &low : &high) = z;
	}
	return 1 / low;
}

/* Returns P[k arrivals] of a Poisson distribution with mean a. */
static double
poisson_part(double a, int k)
{
	return k < 0 ? 0 : exp(k * log(a) - a - lgamma(k + 1));
}

/* Solves m x = v by Gaussian elimination; v becomes x. */
static void
solve(double m[STATES][STATES], double v[STATES])
{
	for (int i = 0; i < STATES; i++) {
		int most = i;

		for (int j = i; j < STATES; j++)
			if (fabs(m[j][i]) > fabs(m[most][i]))
				most = j;
		for (int k = 0; k < STATES; k++) {
			double t = m[i][k];

			m[i][k] = m[most][k];
			m[most][k] = t;
		}
		double t = v[i];

		v[i] = v[most];
		v[most] = t;
		for (int j = i + 1; j < STATES; j++) {
			double part = m[j][i] / m[i][i];

			for (int k = i; k < STATES; k++)
				m[j][k] -= part * m[i][k];
			v[j] -= part * v[i];
		}
	}
	for (int i = STATES - 1; i >= 0; i--) {
		for (int k = i + 1; k < STATES; k++)
			v[i] -= m[i][k] * v[k];
		v[i] /= m[i][i];
	}
}

/* Computes P[i in the system], with a arrivals on average in one service
 * time. */
static void
states_of(double a, unsigned c, double ratio, double p[STATES])
{
	static double m[STATES][STATES];

	memset(m, 0, sizeof(m));
	memset(p, 0, STATES * sizeof(*p));
	/* Row j: the probability to go from i to j in one service time, minus
	 * the identity matrix. */
	for (int j = 0; j < STATES; j++) {
		for (int i = 0; i < STATES + j; i++) {
			int stay = i > (int)c ? i - (int)c : 0;
			double past = i < STATES ? 1 :
			    pow(ratio, i - STATES + 1);

			m[j][i < STATES ? i : STATES - 1] += past *
			    poisson_part(a, j - stay);
		}
		m[j][j] -= 1;
	}
	/* One row follows from the others.  Replace it: the sum of all is 1. */
	for (int i = 0; i < STATES; i++)
		m[0][i] = i < STATES - 1 ? 1 : 1 / (1 - ratio);
	p[0] = 1;
	solve(m, p);
}

/* Returns P[at most n in the system]. */
static double
at_most(const double p[STATES], double ratio, int n)
{
	double sum = 0;

	for (int i = 0; i <= n && i < STATES; i++)
		sum += p[i];
	if (n >= STATES)
		sum += p[STATES - 1] * ratio *
		    (1 - pow(ratio, n - STATES + 1)) / (1 - ratio);
	return sum;
}

/* Returns the fraction of arrivals that wait longer than longest service times,
 * with a arrivals on average in one service time. */
static double
part_waiting(double a, unsigned c, double longest)
{
	double p[STATES], ratio = tail_ratio(a, c), sum = 0;
	int k = (int)floor(longest) + 1;

	states_of(a, c, ratio, p);
	for (int j = 0; j < k * (int)c; j++)
		sum += at_most(p, ratio, k * (int)c - 1 - j + (int)c) *
		    poisson_part(a * (k - longest), j);
	return 1 - sum;
}

/* Returns the rate, in arrivals per second, at which this fraction of
 * inferences takes longer than the bound. */
static double
true_rate(const struct ideal *d, uint64_t bound_ns, double part)
{
	double low = 0.001 * d->cores, high = 0.9999 * d->cores;
	double waits = (double)bound_ns / (double)d->ns - 1;

	for (int i = 0; i < 40; i++) {
		double a = (low + high) / 2;

		*(part_waiting(a, d->cores, waits) < part ? &low : &high) = a;
	}
	return low * 1e9 / (double)d->ns;
}

/* ---- Trials and searches ------------------------------------------------ */

enum { IDEAL_ROOM = 400000 };

static struct bench_sample ideal_sample[IDEAL_ROOM];

/* Runs a trial, as load_run() does on a device. */
static void
try_ideal(const struct ideal *d, const struct rate_goal *g,
    const struct rate_trial *t, uint64_t seed, struct rate_counts *counts)
{
	uint64_t n, late = 0, end = 0;
	struct poisson arrivals;

	poisson_start(&arrivals, seed, t->rate);
	for (n = 0; n < t->n && late < t->most_late; n++) {
		struct bench_sample *s = &ideal_sample[n];

		s->due = s->begin = poisson_next(&arrivals);
		if (n >= d->cores && ideal_sample[n - d->cores].end > s->due)
			s->begin = ideal_sample[n - d->cores].end;
		if (t->most_ns != 0 && s->begin > t->most_ns)
			break;
		s->end = end = s->begin + d->ns;
		late += s->end - s->due > g->bound_ns;
	}
	rate_count(ideal_sample, n, 0, g, t, counts);
	counts->ns = t->most_ns != 0 && t->most_ns < end ? t->most_ns : end;
}

struct search {
	struct rate_answer answer;
	uint64_t ns;
	unsigned trials;
};

static void
search_ideal(const struct ideal *d, const struct rate_goal *g, uint64_t seed,
    struct search *s)
{
	struct rate_counts counts;
	struct rate_choice c;
	struct rate_trial t;

	rate_choice_start(&c, g);
	while (rate_choice_next(&c, &t)) {
		try_ideal(d, g, &t, random_bits(&seed), &counts);
		rate_choice_add(&c, &t, &counts);
	}
	rate_choice_answer(&c, &s->answer);
	s->ns = c.ns;
	s->trials = c.points;
}

#endif
