// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <time.h>

#include "base/clock.h"
#include "ticker.h"

bool
ticker_wait(uint64_t ns)
{
	struct timespec t = { .tv_sec = (time_t)(ns / 1000000000),
	    .tv_nsec = (long)(ns % 1000000000) };

	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) !=
	    EINTR;
}

uint64_t
ticker_next(uint64_t at, uint64_t step)
{
	uint64_t now = clock_ns();

	return now < at + step ? at + step :
	    at + ((now - at) / step + 1) * step;
}
