/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine while it is measured: temperatures, frequencies, power, who else
 * is busy.  For a program that only waits: nothing here runs by itself.
 *
 *	w = monitor_open(&(struct monitor_options){ .root = "", .node = node });
 *	monitor_idle(w, idle_ns);			once, before the first
 * run
 *	monitor_begin(w, pids, n);		a run's processes are ready
 *	... go; twice a second: monitor_tick(w)
 *	monitor_end(w, &watched);			they have enough
 *	... stop
 *	monitor_close(w);
 */
#ifndef NPU_BENCH_MEASURE_MONITOR_H
#define NPU_BENCH_MEASURE_MONITOR_H

#include <sys/types.h>

#include "npu-bench/bench.h"

enum {
	MONITOR_TICK_MS = 500,
	MONITOR_IDLE_MS = 2000,	/* at rest, where there is no power sensor */
	MONITOR_IDLE_POWER_MS = 5000,	/* and where there is one */
};

struct monitor_options {
	const char *root;	/* "", or the folder of proc and sys */
	const char *node;	/* whose other users are named; NULL: none */
	const char *power;	/* sensors to add up, "a,b"; NULL: the one that
				   there is */
};

struct monitor;

/* Dies if there is no memory; what cannot be read is not known. */
struct monitor *monitor_open(const struct monitor_options *options);
void monitor_close(struct monitor *m);

/* Whether power is measured: how long the rest before the first run is to be
 * unless --idle says it. */
bool monitor_has_power(const struct monitor *m);

/* Sleeps for ns, and keeps how busy the machine is and what power it takes, for
 * every later monitor_end().  Ends early when cmd_stop is set. */
void monitor_idle(struct monitor *m, uint64_t ns);

/* The window, seen at its beginning, its end and every tick.  pids: of the n
 * processes that are measured, which are to live until monitor_end(). */
void monitor_begin(struct monitor *m, const pid_t *pids, unsigned n);
void monitor_tick(struct monitor *m);
void monitor_end(struct monitor *m, struct bench_readings *out);

/* W-GOV, W-HOT and W-BUSY, those that hold: 1 << WARNING_GOV and so on
 * (stats/warning.h). */
unsigned monitor_warnings(const struct bench_machine *m,
    const struct bench_readings *s);

#endif
