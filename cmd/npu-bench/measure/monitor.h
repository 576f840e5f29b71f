/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Monitors the machine during the window: temperatures, frequencies, power, and
 * other processes' load.  Nothing here runs by itself.
 *
 *	m = monitor_open(&(struct monitor_options){ .root = "", .node = node });
 *	monitor_idle(m, idle_ns);		once, before the first run
 *	monitor_begin(m, pids, n);		a run's workers are ready
 *	... release them; twice a second: monitor_tick(m)
 *	monitor_end(m, &readings);		they have enough
 *	... stop them
 *	monitor_close(m);
 */
#ifndef NPU_BENCH_MEASURE_MONITOR_H
#define NPU_BENCH_MEASURE_MONITOR_H

#include <sys/types.h>

#include "npu-bench/bench.h"

enum {
	MONITOR_TICK_MS = 500,
	MONITOR_IDLE_MS = 2000,	/* duration of monitor_idle() without a power
				   sensor */
	MONITOR_IDLE_POWER_MS = 5000,	/* and with a power sensor */
};

struct monitor_options {
	const char *root;	/* "", or a folder that has proc and sys */
	const char *node;	/* the device whose other users are reported;
				   NULL: not checked */
	const char *power;	/* sensors to add up, "a,b"; NULL: chosen, if
				   the choice is clear */
};

struct monitor;

/* Creates a monitor.  Dies without memory; values that cannot be read are
 * unknown. */
struct monitor *monitor_open(const struct monitor_options *options);
void monitor_close(struct monitor *m);

/* True if power is measured; the default of --idle depends on this. */
bool monitor_has_power(const struct monitor *m);

/* Measures the load and power of the idle machine for ns, for every later
 * monitor_end().  Returns early when cmd_stop is set. */
void monitor_idle(struct monitor *m, uint64_t ns);

/* Begin, continue and end the window: sensors are read at its beginning, its
 * end and every tick.  pids are the n workers, which must live until
 * monitor_end(). */
void monitor_begin(struct monitor *m, const pid_t *pids, unsigned n);
void monitor_tick(struct monitor *m);
void monitor_end(struct monitor *m, struct bench_readings *out);

/* Returns which of W-GOV, W-HOT and W-BUSY hold: 1 << WARNING_GOV and so on
 * (stats/warning.h). */
unsigned monitor_warnings(const struct bench_machine *m,
    const struct bench_readings *s);

#endif
