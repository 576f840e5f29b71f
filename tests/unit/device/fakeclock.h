/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces the C library's clock.  A sleep takes no time, and the tests do not
 * depend on the speed of the machine. */
#ifndef TESTS_UNIT_DEVICE_FAKECLOCK_H
#define TESTS_UNIT_DEVICE_FAKECLOCK_H

#include <stdint.h>
#include <time.h>

static uint64_t fake_now = 12345678900u;	/* ns */

int
clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	*t = (struct timespec){ .tv_sec = (time_t)(fake_now / 1000000000),
	    .tv_nsec = (long)(fake_now % 1000000000) };
	return 0;
}

int
nanosleep(const struct timespec *t, struct timespec *left)
{
	(void)left;
	fake_now += (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_nsec;
	return 0;
}

#endif
