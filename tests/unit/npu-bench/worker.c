// SPDX-License-Identifier: Apache-2.0
/* Tests a worker's shared memory with values that a library in the worker may
 * have overwritten. */
#include "cmd.h"
#include "npu-bench/measure/worker.h"
#include "tap.h"

const struct program program = { .name = "worker" };

enum { ROOM = 5000 };

/* Makes a run whose counts exceed the room by more, and trims it. */
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
	    "counts within the room are kept");
	r = left(1);
	ok(r->window.n == ROOM && r->room == ROOM,
	    "the number of samples is limited to the room");
	ok(r->search.n == BENCH_TRIALS,
	    "the number of trials is limited to the room");
	ok(r->readings.temps.n == BENCH_SENSORS,
	    "the number of temperatures is limited to the room");
	ok(r->readings.freqs.n == BENCH_SENSORS,
	    "the number of clock frequencies is limited to the room");
	return done();
}
