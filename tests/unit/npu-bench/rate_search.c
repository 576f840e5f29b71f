// SPDX-License-Identifier: Apache-2.0
/*
 * The search of --find-rate in counted time, on a device whose highest rate is
 * known.  rate_choice.c has its choices.
 */
#include <math.h>
#include <stdlib.h>

#include "cmd.h"
#include "npu-bench/counted_device.h"
#include "npu-bench/measure/rate_search.h"
#include "stats/percentile.h"

const struct program program = { .name = "rate_search" };

enum { ROOM = 400000 };

static struct bench_plan plan;
static struct bench_run *found;
static uint64_t took;		/* ns */

/* A search, after a warm-up of so many inferences in so many ns. */
static void
search(double ms, unsigned cores, uint64_t warm_n, uint64_t warm_ns)
{
	struct npu_err err = { 0 };
	uint64_t begin = fake_now;

	memset(found, 0, sizeof(*found));
	found->room = ROOM;
	found->startup.warm_n = warm_n;
	found->startup.warm_ns = warm_ns;
	counted_open(&plan, ms, cores, 3);
	if (rate_search(&meter, found, &err) != 0)
		ok(false, "%s", err.msg);
	counted_close();
	took = fake_now - begin;
}

/* Up to 70.87 a second, arrivals at even intervals wait for nothing; of those
 * above it more and more are late. */
static void
even(void)
{
	bool met = true;

	plan = (struct bench_plan){ .rate = 35.55, .steady = true,
	    .find_rate = true, .bound_ns = 40 * MS,
	    .bound_percentile = 90 * PERCENT, .most_ns = 60000 * MS };
	search(14.11, 1, 0, 0);
	ok(found->search.low <= 70.87 && found->search.high >= 70.87 &&
	    found->search.high < 1.08 * found->search.low,
	    "even arrivals: from %.2f to %.2f, and it is 70.87",
	    found->search.low, found->search.high);
	ok(found->load.rate == found->search.low, "the lower end is measured");
	/* 127 bound a percentile of 90 by the fifth largest. */
	for (unsigned i = 0; i < found->search.n; i++) {
		const struct bench_trial *t = &found->search.trial[i];

		met &= !t->met || (t->n >= 127 && t->latency_ns <= 40 * MS &&
		    t->latency_ns >= 14110000);
	}
	ok(met, "a trial that keeps the bound shows it by enough samples");
	ok(found->search.trial[0].rate == 35.55,
	    "it begins with the rate given");
}

/* Without --rate. */
static void
first_rates(void)
{
	plan.rate = 0;
	search(14.11, 1, 20, 400 * MS);
	ok(found->search.trial[0].rate == 25, "or else with half of what was "
	    "done to warm up");
	ok(found->search.low <= 70.87 && found->search.high >= 70.87,
	    "and finds the same");
}

/* Three cores do 300 a second, which a bound of 500 ms allows nearly. */
static void
no_time(void)
{
	bool possible = true;

	plan = (struct bench_plan){ .rate = 150, .find_rate = true,
	    .bound_ns = 500 * MS, .bound_percentile = 99 * PERCENT,
	    .most_ns = 2000 * MS };
	search(10, 3, 0, 0);
	for (unsigned i = 0; i < found->search.n; i++)
		possible &= found->search.trial[i].completed <= 300;
	ok(found->search.n > 0 && possible,
	    "no trial completes more than the device can");
	/* What is in flight then is still awaited. */
	ok(took >= 2000 * MS && took <= 2030 * MS, "the search ends in the "
	    "time that it has: %d ms", (int)(took / MS));
	ok(found->search.low <= 300, "it says no more than is known");
	plan.most_ns = 100 * MS;
	search(10, 3, 0, 0);
	ok(found->search.low == 0 && isinf(found->search.high) &&
	    !found->search.none && found->load.rate == 150,
	    "in too short a time it finds nothing, and the rate tried is "
	    "measured");
}

/* 310 a second are 10 more than are done, so that after 1307 arrivals 42 wait,
 * for 0.14 s of the 0.5 that they may. */
static void
above_capacity(void)
{
	const struct bench_trial *t = found->search.trial;
	bool met = false;

	plan = (struct bench_plan){ .rate = 310, .find_rate = true,
	    .bound_ns = 500 * MS, .bound_percentile = 99 * PERCENT,
	    .most_ns = 60000 * MS };
	search(10, 3, 0, 0);
	ok(t->rate == 310 && t->n >= 1307 && t->late == 0 && !t->met,
	    "a rate above the device's is not kept, though none is late yet");
	for (unsigned i = 0; i < found->search.n; i++)
		met |= t[i].met && t[i].rate > 300;
	ok(!met, "nor is any other");
}

/* Inferences alone are too long. */
static void
no_rate(void)
{
	bool met = false;

	plan = (struct bench_plan){ .rate = 500, .find_rate = true,
	    .bound_ns = 1 * MS, .bound_percentile = 50 * PERCENT };
	search(2, 3, 0, 0);
	for (unsigned i = 0; i < found->search.n; i++)
		met |= found->search.trial[i].met;
	ok(found->search.none && !met && found->load.rate <= 500,
	    "no rate keeps a bound below one inference");
}

int
main(void)
{
	found = cmd_alloc(sizeof(*found) + ROOM * sizeof(struct bench_sample));
	even();
	first_rates();
	no_time();
	above_capacity();
	no_rate();
	free(found);
	return done();
}
