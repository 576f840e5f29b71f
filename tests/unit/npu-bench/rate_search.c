// SPDX-License-Identifier: Apache-2.0
/*
 * Tests the search of --find-rate on a simulated clock and a device whose
 * highest rate is known. rate_choice.c tests the choices of the search.
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

/* Runs a search, after a warm-up of warm_n inferences in warm_ns. */
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

/* Tests even arrivals.  At 70.87 per second or less, no arrival waits; at a
 * higher rate, more and more are late. */
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
	    "with even arrivals, the interval from %.2f to %.2f contains 70.87",
	    found->search.low, found->search.high);
	ok(found->load.rate == found->search.low,
	    "the measured window has the lower end as its rate");
	/* With 127 samples, the fifth largest bounds the 90th percentile. */
	for (unsigned i = 0; i < found->search.n; i++) {
		const struct bench_trial *t = &found->search.trial[i];

		met &= !t->met || (t->n >= 127 && t->latency_ns <= 40 * MS &&
		    t->latency_ns >= 14110000);
	}
	ok(met, "a trial keeps the bound only with enough samples");
	ok(found->search.trial[0].rate == 35.55,
	    "the first trial has the rate that the user gave");
}

/* Tests a search without --rate. */
static void
first_rates(void)
{
	plan.rate = 0;
	search(14.11, 1, 20, 400 * MS);
	ok(found->search.trial[0].rate == 25,
	    "without --rate, the first rate is half the rate of the warm-up");
	ok(found->search.low <= 70.87 && found->search.high >= 70.87,
	    "without --rate, the interval also contains 70.87");
}

/* Tests searches with little time.  Three cores complete 300 per second, and a
 * bound of 500 ms allows nearly this rate. */
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
	/* Inferences that are in flight at the end are awaited. */
	ok(took >= 2000 * MS && took <= 2030 * MS,
	    "the search ends within its time: %d ms", (int)(took / MS));
	ok(found->search.low <= 300,
	    "the lower end does not exceed the rate of the device");
	plan.most_ns = 100 * MS;
	search(10, 3, 0, 0);
	ok(found->search.low == 0 && isinf(found->search.high) &&
	    !found->search.none && found->load.rate == 150,
	    "with too little time, no rate is found, and the first rate is "
	    "measured");
}

/* Tests 310 arrivals per second, which is 10 more than the device completes.
 * After 1307 arrivals, 42 wait for 0.14 s; the bound is 0.5 s. */
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
	    "a rate above the device's is not kept, although no inference is "
	    "late yet");
	for (unsigned i = 0; i < found->search.n; i++)
		met |= t[i].met && t[i].rate > 300;
	ok(!met, "no rate above the device's is kept");
}

/* Tests a bound that is shorter than one inference. */
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
	    "no rate keeps a bound that is shorter than one inference");
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
