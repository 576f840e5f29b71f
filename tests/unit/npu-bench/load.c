// SPDX-License-Identifier: Apache-2.0
/*
 * Tests the load of each scenario on a simulated clock: when inferences begin
 * and end, how many are made, and when a phase ends.
 * tests/cmd/npu-bench-runs.bats tests loads on the emulator.
 */
#include "cmd.h"
#include "npu-bench/counted_device.h"

const struct program program = { .name = "load" };

enum { ROOM = 1000 };

static struct bench_plan plan;
static struct bench_sample sample[ROOM];

/* Runs the phase on a device that takes ms for each job. */
static struct load_phase
run(double ms, unsigned cores, unsigned inflight, struct load_phase phase)
{
	phase.what = "inference";
	phase.sample = sample;
	phase.room = phase.room == 0 ? ROOM : phase.room;
	memset(sample, 0, sizeof(sample));
	counted_open(&plan, ms, cores, inflight);
	if (load_run(&meter, &phase) != 0)
		ok(false, "%s", phase.err.msg);
	counted_close();
	return phase;
}

static uint64_t
window(const struct load_phase *p)
{
	return p->last_end - p->first_begin;
}

/* ---- One at a time ------------------------------------------------------ */

/* Tests calls that take 3, 10, 17 and 24 ms, and a job of 31 ms. */
static void
stages(void)
{
	struct load_phase p = { .what = "inference", .sample = sample,
	    .room = ROOM, .least_n = 20 };
	bool each = true, whole = true;

	counted_open(&plan, 31, 1, 1);
	device.create = 3 * MS;
	device.load = 10 * MS;
	device.get = 17 * MS;
	device.clean = 24 * MS;
	load_run(&meter, &p);
	counted_close();
	for (int i = 0; i < 20; i++) {
		const struct bench_sample *s = &sample[i];

		each &= s->create == 3 * MS && s->put == 10 * MS &&
		    s->infer == 31 * MS && s->get == 17 * MS &&
		    s->clean == 24 * MS;
		whole &= s->due == s->begin &&
		    s->begin == (uint64_t)i * 85 * MS &&
		    s->end == s->begin + 85 * MS;
	}
	ok(p.n == 20 && each, "each stage has the duration of its call");
	ok(whole, "an inference takes the sum of its stages, and the next "
	    "begins at its end; the window begins at 0");
	ok(window(&p) == 20 * 85 * MS,
	    "the window lasts as long as all inferences together");
}

static void
ends(void)
{
	struct load_phase p;

	p = run(10, 1, 1, (struct load_phase){ .least_n = 7 });
	ok(p.n == 7, "a phase ends after the minimum number of inferences");
	p = run(10, 1, 1, (struct load_phase){ .least_n = 7,
	    .least_ns = 300 * MS });
	ok(p.n == 30 && window(&p) == 300 * MS,
	    "a phase continues until its minimum time has passed");
	p = run(10, 1, 1, (struct load_phase){ .least_n = 20,
	    .least_ns = 100 * MS });
	ok(p.n == 20, "a phase continues until its minimum number is reached");
	p = run(10, 3, 4, (struct load_phase){ .scenario = OFFLINE,
	    .least_n = 21 });
	ok(p.n == 21, "with several in flight, those in flight count towards "
	    "the minimum");
}

static void
caps(void)
{
	struct load_phase p;

	p = run(10, 1, 1, (struct load_phase){ .least_n = 1000,
	    .most_ns = 200 * MS });
	ok(p.n == 20 && !p.full, "a phase ends at its maximum time");
	p = run(10, 1, 1, (struct load_phase){ .least_n = 1000, .most_n = 13 });
	ok(p.n == 13 && !p.full,
	    "a phase ends at its maximum number of inferences");
	p = run(10, 1, 1, (struct load_phase){ .least_n = 1000, .room = 9 });
	ok(p.n == 9 && p.full,
	    "a phase ends when its array of samples is full");
}

/* ---- Several in flight -------------------------------------------------- */

static void
offline(void)
{
	const struct load_phase twelve = { .scenario = OFFLINE,
	    .least_n = 12 };
	struct load_phase p = run(20, 1, 3, twelve);
	bool waits = true;

	for (int i = 2; i < 12; i++)
		waits &= sample[i].end - sample[i].begin == 60 * MS;
	ok(device.most == 3, "three inferences are in flight: %u", device.most);
	ok(window(&p) == 12 * 20 * MS, "one core works without a pause");
	ok(waits, "each inference waits for the two before it");
	p = run(20, 3, 3, twelve);
	ok(window(&p) == 4 * 20 * MS, "three cores need a third of the time");
}

/* Tests queries of four samples on one core. */
static void
multi_stream(void)
{
	struct load_phase p;
	bool right = true;

	plan.per_query = 4;
	p = run(10, 1, 4, (struct load_phase){ .scenario = MULTI_STREAM,
	    .least_n = 9 });
	for (unsigned i = 0; i < p.n; i++)
		right &= sample[i].due == i / 4 * 40 * MS &&
		    sample[i].end == (i + 1) * 10 * MS;
	ok(p.n == 12 && right,
	    "a query begins when the previous query is answered");
	p = run(10, 1, 2, (struct load_phase){ .scenario = MULTI_STREAM,
	    .least_n = 1000, .most_ns = 60 * MS });
	ok(p.n == 8, "the maximum time ends a phase between two queries");
}

/* ---- Arrivals ----------------------------------------------------------- */

/* Runs a phase with arrivals at a constant rate. */
static struct load_phase
serve(double ms, unsigned cores, unsigned inflight, struct load_phase phase)
{
	plan.steady = true;
	phase.scenario = SERVER;
	return run(ms, cores, inflight, phase);
}

/* Tests 50 arrivals per second: with 5 ms, the device is idle at each arrival;
 * with 30 ms, it is busy with another inference. */
static void
below_capacity(void)
{
	for (uint64_t ms = 5; ms <= 30; ms += 25) {
		struct load_phase p = serve((double)ms, 3, 3,
		    (struct load_phase){ .rate = 50, .least_n = 100 });
		bool at_once = true, seen = true;

		for (unsigned i = 0; i < 100; i++) {
			at_once &= sample[i].due == (i + 1) * 20 * MS &&
			    sample[i].begin == sample[i].due;
			seen &= sample[i].end == sample[i].due + ms * MS;
		}
		ok(at_once && p.left == 0,
		    "%d ms: each inference is sent when it arrives", (int)ms);
		ok(seen, "%d ms: the end is noticed while waiting for the next "
		    "arrival",
		    (int)ms);
	}
}

static void
above_capacity(void)
{
	struct load_phase p = serve(10, 1, 2, (struct load_phase){
	    .rate = 200, .least_n = 40 });
	bool grows = true;

	/* Arrival k comes at 5 k ms and is answered at 5 + 10 k ms. */
	for (unsigned k = 1; k <= p.n; k++)
		grows &= sample[k - 1].due == k * 5 * MS &&
		    sample[k - 1].end == (5 + 10 * k) * MS;
	ok(grows,
	    "latency grows with each arrival, and counts from the arrival");
	/*
	 * At 395 ms, 39 inferences are answered and one is in flight, which is
	 * enough.  By then 79 have arrived.  The last of them is sent at 775
	 * ms.
	 */
	ok(p.n == 79 && p.left == 0,
	    "all that arrived before the minimum was reached are served");
	/* At 392.5 ms, the minimum is reached and 157 have arrived.  By 785 ms,
	 * 78 are answered and two more are in flight. */
	p = serve(10, 1, 2, (struct load_phase){ .rate = 400, .least_n = 40 });
	ok(p.n == 80 && p.left == 157 - 80, "waiting arrivals are served for "
	    "as long again, and the rest are counted: %d, %d",
	    (int)p.n, (int)p.left);
	/* By 300 ms, 120 have arrived, 29 are answered and two are in
	 * flight. */
	p = serve(10, 1, 2, (struct load_phase){ .rate = 400, .least_n = 40,
	    .most_ns = 300 * MS });
	ok(p.n == 31 && p.left == 120 - 31, "arrivals not served before the "
	    "maximum time are counted: %d, %d", (int)p.n, (int)p.left);
}

int
main(void)
{
	stages();
	ends();
	caps();
	offline();
	multi_stream();
	below_capacity();
	above_capacity();
	return done();
}
