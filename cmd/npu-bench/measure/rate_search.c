// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "cmd.h"
#include "device.h"
#include "rate_choice.h"
#include "rate_search.h"
#include "stats/percentile.h"

/* The bits of a seed from here up distinguish trials; the lower bits are the
 * worker's. */
enum { TRIAL_SHIFT = 48 };

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns the upper bound of the latency's percentile; 0: unknown. */
static uint64_t
bound_of(const struct bench_sample *s, size_t n, uint32_t p)
{
	double *ns = cmd_alloc((n + 1) * sizeof(*ns));
	struct percentile got = { .ucb = NAN };

	for (size_t i = 0; i < n; i++)
		ns[i] = (double)(s[i].end - s[i].due);
	qsort(ns, n, sizeof(*ns), by_size);
	if (n > 0)
		percentile_of(ns, n, p, &got);
	free(ns);
	return isnan(got.ucb) ? 0 : (uint64_t)got.ucb;
}

/* Returns the plan's rate, which only tests set, or half of the throughput
 * while warming up. */
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

static int
load_trial(struct meter *m, struct bench_run *r, const struct rate_trial *t,
    struct load_phase *phase, struct npu_err *err)
{
	uint64_t seed = m->seed;
	int rc;

	*phase = (struct load_phase){ .what = "trial inference",
	    .scenario = SERVER, .rate = t->rate, .sample = bench_samples(r),
	    .room = r->room, .least_n = t->n, .most_n = t->n,
	    .most_ns = t->most_ns, .over_ns = m->plan->bound_ns,
	    .most_over = t->most_late };
	m->seed ^= (uint64_t)r->search.n << TRIAL_SHIFT;
	rc = load_run(m, phase);
	m->seed = seed;
	r->startup.failed += phase->failed;
	if (rc != 0 || (phase->err.code != 0 && err->code == 0)) {
		*err = phase->err;
		npu_prefix(err, phase->err.code, "%s", cmd_model_in_use());
	}
	return rc;
}

static void
record_trial(struct bench_run *r, const struct rate_goal *g,
    const struct rate_trial *t, const struct load_phase *phase,
    const struct rate_counts *counts)
{
	struct bench_trial *out = &r->search.trial[r->search.n++];
	bool whole = phase->n + phase->failed >= t->n;

	*out = (struct bench_trial){ .rate = t->rate, .n = counts->n,
	    .late = counts->late, .completed = counts->completed,
	    .met = whole && counts->late < percentile_over(g->percentile,
	    counts->n) };
	if (whole && phase->n > t->skip)
		out->latency_ns = bound_of(bench_samples(r) + t->skip,
		    phase->n - t->skip, g->percentile);
}

/* Prints only with -v. */
static void
report_trial(const struct bench_run *r)
{
	const struct bench_trial *t = &r->search.trial[r->search.n - 1];

	if (cmd_verbose)
		cmd_warn("trial %u: %.3f/s, %" PRIu64 " of %" PRIu64 " late, "
		    "%.3f/s completed; the rate is from %.3f/s to %.3f/s",
		    r->search.n, t->rate, t->late, t->n, t->completed,
		    r->search.low, r->search.high);
}

static void
record_answer(struct bench_run *r, const struct rate_choice *c)
{
	struct rate_answer a;

	rate_choice_answer(c, &a);
	r->search.low = a.low;
	r->search.high = a.high;
	r->search.none = a.none;
}

static int
try_rate(struct meter *m, struct bench_run *r, struct rate_choice *c,
    const struct rate_trial *t, struct npu_err *err)
{
	uint64_t begin = clock_ns();
	struct rate_counts counts;
	struct load_phase phase;
	int rc;

	if (percentile_over(c->goal.percentile, t->n - t->skip) == 0)
		return npu_fail(err, NPU_EUSAGE, "%" PRIu64 " samples are too "
		    "few to bound the percentile of a rate's latency",
		    t->n - t->skip);
	if ((rc = load_trial(m, r, t, &phase, err)) != 0)
		return rc;
	rate_count(bench_samples(r), phase.n, phase.failed, &c->goal, t,
	    &counts);
	counts.ns = clock_ns() - begin;
	rate_choice_add(c, t, &counts);
	record_trial(r, &c->goal, t, &phase, &counts);
	record_answer(r, c);
	report_trial(r);
	return 0;
}

static double
lowest_tried(const struct bench_run *r)
{
	double rate = INFINITY;

	for (unsigned i = 0; i < r->search.n; i++)
		rate = fmin(rate, r->search.trial[i].rate);
	return rate;
}

/* A short trial has few late arrivals even at a rate that is impossible to
 * sustain. */
static void
check_followed(struct bench_run *r, double completed)
{
	for (unsigned i = 0; i < r->search.n; i++)
		r->search.trial[i].met &= r->search.trial[i].rate <= completed;
}

int
rate_search(struct meter *m, struct bench_run *r, struct npu_err *err)
{
	const struct rate_goal goal = { .first = first_rate(m->plan, r),
	    .bound_ns = m->plan->bound_ns,
	    .percentile = m->plan->bound_percentile, .room = r->room,
	    .most_ns = m->plan->most_ns };
	struct rate_choice c;
	struct rate_trial t;
	int rc = 0;

	rate_choice_start(&c, &goal);
	while (rc == 0 && r->search.n < BENCH_TRIALS &&
	    rate_choice_next(&c, &t))
		rc = try_rate(m, r, &c, &t, err);
	check_followed(r, c.completed);
	if (rc == 0)
		r->load.rate = r->search.low > 0 ? r->search.low :
		    lowest_tried(r);
	return rc;
}

uint64_t
rate_search_samples(const struct bench_plan *p)
{
	return percentile_need(p->bound_percentile, RATE_OVER);
}
