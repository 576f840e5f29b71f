// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "cmd.h"
#include "device.h"
#include "rate_search.h"
#include "stats/percentile.h"

enum {
	OVER = 5,		/* the percentile's bound is this sample from
				   the longest, so that one late wake-up
				   decides nothing */
	SECONDS = 1,		/* of arrivals in a trial, at least */
};
static const double apart = 1.02;	/* of the last two rates */
static const double fewest = 1.0 / 64;	/* of the first rate */
static const double most = 1e6;		/* arrivals a second */

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The upper bound of the percentile of latency. */
static double
bound_of(const struct bench_sample *s, size_t n, uint32_t p)
{
	double *ns = cmd_alloc(n * sizeof(*ns));
	struct percentile got;

	for (size_t i = 0; i < n; i++)
		ns[i] = (double)(s[i].end - s[i].due);
	qsort(ns, n, sizeof(*ns), by_size);
	percentile_of(ns, n, p, &got);
	free(ns);
	return got.ucb;
}

/* Arrivals in a trial; at most as many as there is room for. */
static uint64_t
trial_samples(const struct bench_run *r, uint32_t p, double rate)
{
	uint64_t n = percentile_need(p, OVER);

	if ((double)n < rate * SECONDS)
		n = (uint64_t)(rate * SECONDS);
	return n < r->room ? n : r->room;
}

/*
 * The trial ends as soon as too many are late for the bound to be kept; its
 * latency stays unknown then.
 */
static int
try_rate(struct meter *m, struct bench_run *r, struct bench_trial *t,
    struct npu_err *err)
{
	const struct bench_plan *p = m->plan;
	uint64_t n = trial_samples(r, p->bound_percentile, t->rate);
	size_t late = percentile_over(p->bound_percentile, n);
	struct load_phase phase = { .what = "trial inference",
	    .scenario = SERVER, .rate = t->rate, .sample = bench_samples(r),
	    .room = r->room, .least_n = n, .most_n = n,
	    .over_ns = p->bound_ns, .most_over = late };
	double ucb;
	int rc;

	if (late == 0)
		return npu_fail(err, NPU_EUSAGE, "%" PRIu64 " samples are too "
		    "few to bound the percentile of a rate's latency", n);
	rc = load_run(m, &phase);
	r->startup.failed += phase.failed;
	if (rc != 0 || (phase.err.code != 0 && err->code == 0)) {
		*err = phase.err;
		npu_prefix(err, phase.err.code, "%s", cmd_model_in_use());
	}
	if (rc != 0)
		return rc;
	t->n = phase.n;
	t->met = phase.over + phase.failed < late;
	ucb = phase.n == n ?
	    bound_of(bench_samples(r), n, p->bound_percentile) : NAN;
	t->latency_ns = isnan(ucb) ? 0 : (uint64_t)ucb;
	return 0;
}

/* --rate, or half of the throughput while warming up. */
static double
first_rate(const struct bench_plan *p, const struct bench_run *r)
{
	if (p->rate > 0)
		return p->rate;
	if (r->startup.warm_n > 0)
		return 0.5e9 * (double)r->startup.warm_n /
		    (double)r->startup.warm_ns;
	return 0.5e9 / (double)r->startup.first.end;
}

int
rate_search(struct meter *m, struct bench_run *r, struct npu_err *err)
{
	double begin = first_rate(m->plan, r), rate = begin;
	double met = 0, broken = INFINITY;
	struct bench_trial *t;
	int rc;

	while (r->search.n < BENCH_TRIALS && rate <= most &&
	    rate >= begin * fewest && broken > met * apart) {
		t = &r->search.trial[r->search.n];
		t->rate = rate;
		if ((rc = try_rate(m, r, t, err)) != 0)
			return rc;
		r->search.n++;
		r->load.rate = rate;
		*(t->met ? &met : &broken) = rate;
		rate = isinf(broken) ? 2 * met : (met + broken) / 2;
	}
	if (met > 0)
		r->load.rate = met;
	return 0;
}
