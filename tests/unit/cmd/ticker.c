// SPDX-License-Identifier: Apache-2.0
/* The times of lines that are printed at an interval.  The test has its own
 * clock. */
#include <time.h>

#include "cmd.h"
#include "tap.h"
#include "ticker.h"

#define MS UINT64_C(1000000)

const struct program program = { .name = "unasked" };

static uint64_t now;

/* Replaces the C library's function. */
int
clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	*t = (struct timespec){ .tv_sec = (time_t)(now / (1000 * MS)),
	    .tv_nsec = (long)(now % (1000 * MS)) };
	return 0;
}

int
clock_nanosleep(clockid_t clock, int flags, const struct timespec *until,
    struct timespec *left)
{
	uint64_t at = (uint64_t)until->tv_sec * 1000 * MS +
	    (uint64_t)until->tv_nsec;

	(void)clock;
	(void)left;
	if (flags == TIMER_ABSTIME && at > now)
		now = at;
	return 0;
}

/* Works for 'work' ns, then waits for the next line.  Returns its time. */
static uint64_t
next_line(uint64_t at, uint64_t step, uint64_t work)
{
	now += work;
	at = ticker_next(at, step);
	ticker_wait(at);
	return at;
}

int
main(void)
{
	uint64_t start = 12345 * MS, at = start;

	now = start;
	for (int i = 0; i < 1000; i++)
		at = next_line(at, 100 * MS, 30 * MS + (uint64_t)i);
	ok(at == start + 1000 * 100 * MS && now == at,
	    "the time to print a line does not lengthen the intervals");
	at = next_line(at, 100 * MS, 2050 * MS);
	ok(at == start + (1000 + 21) * 100 * MS && now == at,
	    "missed lines are skipped, and the next line comes at its regular "
	    "time");
	at = next_line(at, 100 * MS, 100 * MS);
	ok(at == start + (1000 + 23) * 100 * MS,
	    "work that takes a whole interval skips the next line");
	return done();
}
