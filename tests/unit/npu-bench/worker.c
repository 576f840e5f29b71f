// SPDX-License-Identifier: Apache-2.0
/* The memory of a worker, with values that a library in it may have written. */
#include "cmd.h"
#include "npu-bench/measure/worker.h"
#include "tap.h"

const struct program program = { .name = "worker" };

enum { ROOM = 5000 };

/* A shrunk run that counted so many more of each than there is room for. */
static struct bench_run *
left(int64_t more)
{
	static const struct bench_plan plan = { .least_ns = 1,
	    .most_n = ROOM };
	struct bench_run *r = worker_new(&plan, 0, 0, 0, 'A');
	struct bench_readings *readings = &r->readings;

	r->window.n = (uint64_t)(ROOM + more);
	r->search.n = (unsigned)(BENCH_TRIALS + more);
	readings->temps.n = readings->freqs.n = (unsigned)(BENCH_SENSORS +
	    more);
	if (more < 0)
		bench_samples(r)[r->window.n - 1].end = 7;
	worker_trim(r);
	return r;
}

int
main(void)
{
	struct bench_run *r = left(-2);

	ok(r->window.n == ROOM - 2 && r->room == r->window.n &&
	    r->search.n == BENCH_TRIALS - 2 &&
	    r->readings.temps.n == BENCH_SENSORS - 2 &&
	    r->readings.freqs.n == BENCH_SENSORS - 2 &&
	    bench_samples(r)[r->window.n - 1].end == 7,
	    "what it counts is kept");
	r = left(1);
	ok(r->window.n == ROOM && r->room == ROOM, "no more samples than room");
	ok(r->search.n == BENCH_TRIALS, "nor trials");
	ok(r->readings.temps.n == BENCH_SENSORS, "nor temperatures");
	ok(r->readings.freqs.n == BENCH_SENSORS, "nor clocks");
	return done();
}
