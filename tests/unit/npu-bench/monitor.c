// SPDX-License-Identifier: Apache-2.0
/*
 * Tests the monitor's energy, idle time and own processor time, on a simulated
 * clock and a machine of files. tests/cmd/npu-bench-monitor.bats tests the
 * other values that the monitor reads.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "npu-bench/measure/monitor.h"
#include "tap.h"

const struct program program = { .name = "monitor" };

#define MS UINT64_C(1000000)	/* ns */
#define STAT "proc/stat"
#define POWER "sys/class/hwmon/hwmon1/power1_input"

/* Two processors, before and after 2000 ticks.  In 700 of the ticks, the
 * processors were busy. */
#define BEFORE "cpu  14 0 10 970 6 0 0 0 0 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\n"
#define AFTER "cpu  414 0 210 2270 6 100 0 0 0 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\n"

static char root[] = "/tmp/monitor.XXXXXX";
static uint64_t now = 12345 * MS, processor_time;
static unsigned sleeps;
static void (*at_sleep)(unsigned number);

/* ---- Simulated clock ---------------------------------------------------- */

/* Each query of the processor time uses 1 ms of processor time. */
int
clock_gettime(clockid_t clock, struct timespec *t)
{
	uint64_t ns = clock == CLOCK_THREAD_CPUTIME_ID ?
	    processor_time += MS : now;

	*t = (struct timespec){ .tv_sec = (time_t)(ns / (1000 * MS)),
	    .tv_nsec = (long)(ns % (1000 * MS)) };
	return 0;
}

int
nanosleep(const struct timespec *t, struct timespec *left)
{
	(void)left;
	now += (uint64_t)t->tv_sec * 1000 * MS + (uint64_t)t->tv_nsec;
	if (at_sleep != NULL)
		at_sleep(++sleeps);
	return 0;
}

/* ---- The machine -------------------------------------------------------- */

static void
put(const char *file, const char *text)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, file);
	if ((f = fopen(path, "w")) == NULL || fputs(text, f) < 0 ||
	    fclose(f) != 0)
		abort();
}

static const char *const folders[] = { "proc", "sys", "sys/class",
    "sys/class/hwmon", "sys/class/hwmon/hwmon1" };
static const char *const files[] = { STAT, POWER,
    "sys/class/hwmon/hwmon1/name" };

static void
make_machine(void)
{
	char path[200];

	if (mkdtemp(root) == NULL)
		abort();
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		if (mkdir(path, 0777) != 0)
			abort();
	}
	put("sys/class/hwmon/hwmon1/name", "ina226\n");
}

static void
remove_machine(void)
{
	size_t n = sizeof(folders) / sizeof(*folders);
	char path[200];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, files[i]);
		unlink(path);
	}
	while (n-- > 0) {
		snprintf(path, sizeof(path), "%s/%s", root, folders[n]);
		rmdir(path);
	}
	rmdir(root);
}

static bool
near(double a, double b)
{
	return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

/* ---- Tests -------------------------------------------------------------- */

/* Tests a window of 400 ms from 2 to 6 W, 200 ms from 6 to 1 W, and 300 ms of 1
 * W. */
static void
window(void)
{
	struct monitor_options options = { .root = root };
	struct bench_readings seen;
	struct monitor *m;

	put(STAT, BEFORE);
	put(POWER, "2000000\n");
	m = monitor_open(&options);
	monitor_begin(m, NULL, 0);
	now += 400 * MS;
	put(POWER, "6000000\n");
	monitor_tick(m);
	now += 200 * MS;
	put(POWER, "1000000\n");
	monitor_tick(m);
	now += 300 * MS;
	monitor_end(m, &seen);
	ok(near(seen.joules, 2.6),
	    "energy is the integral of the readings by trapezoids: %g J",
	    seen.joules);
	ok(near(seen.watts, 2.6 / 0.9),
	    "power is the energy divided by the duration of the window: %g W",
	    seen.watts);
	/* 1 ms passes between the two queries around each of four readings. */
	ok(near(seen.monitor_cores, 0.004 / 0.9), "the monitor's own use is "
	    "its processor time divided by the window: %g", seen.monitor_cores);
	ok(isnan(seen.idle_watts) && isnan(seen.idle_busy),
	    "without idle time before the window, idle values are unknown");
	monitor_close(m);
}

/* Changes the machine in the second of four sleeps. */
static void
become_busy(unsigned number)
{
	if (number != 2)
		return;
	put(STAT, AFTER);
	put(POWER, "5000000\n");
}

static void
idle(void)
{
	struct monitor_options options = { .root = root };
	uint64_t begin = now;
	struct bench_readings seen;
	struct monitor *m;

	put(STAT, BEFORE);
	put(POWER, "3000000\n");
	m = monitor_open(&options);
	sleeps = 0;
	at_sleep = become_busy;
	monitor_idle(m, 1750 * MS);
	at_sleep = NULL;
	ok(sleeps == 4 && now - begin == 1750 * MS,
	    "the idle machine is watched for 1750 ms, twice a second");
	monitor_begin(m, NULL, 0);
	now += 1000 * MS;
	monitor_end(m, &seen);
	ok(near(seen.idle_busy, 0.35),
	    "the use of processors in idle time is 0.35: %g", seen.idle_busy);
	/* 500 ms of 3 W, 500 ms of 4 W, 750 ms of 5 W. */
	ok(near(seen.idle_watts, (0.5 * 3 + 0.5 * 4 + 0.75 * 5) / 1.75),
	    "idle power is the mean over the idle time: %g W", seen.idle_watts);
	ok(near(seen.joules, 5) && near(seen.watts, 5),
	    "the idle time does not count as part of the window");
	monitor_close(m);
}

int
main(void)
{
	make_machine();
	window();
	idle();
	remove_machine();
	return done();
}
