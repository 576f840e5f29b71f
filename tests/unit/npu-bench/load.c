// SPDX-License-Identifier: Apache-2.0
/*
 * The load of each scenario, in counted time: when inferences are put and got,
 * how many there are, and when a phase ends.  tests/cmd/npu-bench-runs.bats has
 * it on the emulator.
 */
#include "cmd.h"
#include "npu-bench/counted_device.h"

const struct program program = { .name = "load" };

enum { ROOM = 1000 };

static struct bench_plan plan;
static struct bench_sample sample[ROOM];

/* Runs the phase on a device of ms a job. */
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

/* Calls that take 3, 10, 17 and 24 ms, and a job of 31 ms. */
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
	ok(p.n == 20 && each, "each stage has the time of its call");
	ok(whole, "an inference takes all of them, and the next one begins at "
	    "its end; times count from the beginning of the window");
	ok(window(&p) == 20 * 85 * MS, "the window is all inferences");
}

static void
ends(void)
{
	struct load_phase p;

	p = run(10, 1, 1, (struct load_phase){ .least_n = 7 });
	ok(p.n == 7, "it ends when there are enough");
	p = run(10, 1, 1, (struct load_phase){ .least_n = 7,
	    .least_ns = 300 * MS });
	ok(p.n == 30 && window(&p) == 300 * MS,
	    "and when enough time has gone by");
	p = run(10, 1, 1, (struct load_phase){ .least_n = 20,
	    .least_ns = 100 * MS });
	ok(p.n == 20, "both are needed");
	p = run(10, 3, 4, (struct load_phase){ .scenario = OFFLINE,
	    .least_n = 21 });
	ok(p.n == 21, "those in flight count");
}

static void
caps(void)
{
	struct load_phase p;

	p = run(10, 1, 1, (struct load_phase){ .least_n = 1000,
	    .most_ns = 200 * MS });
	ok(p.n == 20 && !p.full, "the most time ends it early");
	p = run(10, 1, 1, (struct load_phase){ .least_n = 1000, .most_n = 13 });
	ok(p.n == 13 && !p.full, "so does the most inferences");
	p = run(10, 1, 1, (struct load_phase){ .least_n = 1000, .room = 9 });
	ok(p.n == 9 && p.full, "and the end of the room");
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
	ok(device.most == 3, "three are in flight: %u", device.most);
	ok(window(&p) == 12 * 20 * MS, "one core works all the time");
	ok(waits, "each waits for the two before it");
	p = run(20, 3, 3, twelve);
	ok(window(&p) == 4 * 20 * MS, "three cores take a third of it");
}

/* Four samples a query, on one core. */
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
	ok(p.n == 12 && right, "a query begins when the last one is answered");
	p = run(10, 1, 2, (struct load_phase){ .scenario = MULTI_STREAM,
	    .least_n = 1000, .most_ns = 60 * MS });
	ok(p.n == 8, "the time ends it between queries");
}

/* ---- Arrivals ----------------------------------------------------------- */

/* Arrivals at an even rate. */
static struct load_phase
serve(double ms, unsigned cores, unsigned inflight, struct load_phase phase)
{
	plan.steady = true;
	phase.scenario = SERVER;
	return run(ms, cores, inflight, phase);
}

/* 50 a second, with the device idle when one arrives, and busy with another. */
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
		    "%d ms: each is sent when it arrives", (int)ms);
		ok(seen, "%d ms: its end is seen while the next is awaited",
		    (int)ms);
	}
}

static void
above_capacity(void)
{
	struct load_phase p = serve(10, 1, 2, (struct load_phase){
	    .rate = 200, .least_n = 40 });
	bool grows = true;

	/* Arrival k comes at 5 k and is answered at 5 + 10 k. */
	for (unsigned k = 1; k <= p.n; k++)
		grows &= sample[k - 1].due == k * 5 * MS &&
		    sample[k - 1].end == (5 + 10 * k) * MS;
	ok(grows, "latency grows with each, and counts from the arrival");
	/* At 395 ms 39 are answered and one is in flight: enough.  79 have
	 * arrived, and the last one is put at 775. */
	ok(p.n == 79 && p.left == 0, "those that came before there were enough "
	    "are served");
	/* At 392.5 it is enough, and 157 have arrived.  Until 785 ms 78 are
	 * answered, and two more are in flight. */
	p = serve(10, 1, 2, (struct load_phase){ .rate = 400, .least_n = 40 });
	ok(p.n == 80 && p.left == 157 - 80, "for as long as it took until "
	    "then; the others are counted: %d, %d", (int)p.n, (int)p.left);
	/* By 300 ms 120 have arrived, 29 are answered and two in flight. */
	p = serve(10, 1, 2, (struct load_phase){ .rate = 400, .least_n = 40,
	    .most_ns = 300 * MS });
	ok(p.n == 31 && p.left == 120 - 31, "and so are those for which there "
	    "was no time: %d, %d", (int)p.n, (int)p.left);
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
