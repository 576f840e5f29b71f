/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine while it is measured: temperatures, frequencies, power, who else
 * is busy.  For a program that only waits: nothing here runs by itself.
 *
 *	w = watch_open(&(struct watch_plan){ .root = "", .node = node });
 *	watch_idle(w, idle_ns);			once, before the first run
 *	watch_begin(w, pids, n);		a run's processes are ready
 *	... go; twice a second: watch_tick(w)
 *	watch_end(w, &watched);			they have enough
 *	... stop
 *	watch_close(w);
 */
#ifndef NPU_BENCH_MEASURE_MONITOR_H
#define NPU_BENCH_MEASURE_MONITOR_H

#include <sys/types.h>

#include "npu-bench/bench.h"

enum {
	WATCH_TICK_MS = 500,
	WATCH_IDLE_MS = 2000,	/* at rest, where there is no power sensor */
	WATCH_IDLE_POWER_MS = 5000,	/* and where there is one */
};

struct watch_plan {
	const char *root;	/* "", or the folder of proc and sys */
	const char *node;	/* whose other users are named; NULL: none */
	const char *power;	/* sensors to add up, "a,b"; NULL: the one that
				   there is */
};

struct watch;

/* Dies if there is no memory; what cannot be read is not known. */
struct watch *watch_open(const struct watch_plan *plan);
void watch_close(struct watch *w);

/* Whether power is measured: how long the rest before the first run is to be
 * unless --idle says it. */
bool watch_has_power(const struct watch *w);

/* Sleeps for ns, and keeps how busy the machine is and what power it takes, for
 * every later watch_end().  Ends early when cmd_stop is set. */
void watch_idle(struct watch *w, uint64_t ns);

/* The window, seen at its beginning, its end and every tick.  pids: of the n
 * processes that are measured, which are to live until watch_end(). */
void watch_begin(struct watch *w, const pid_t *pids, unsigned n);
void watch_tick(struct watch *w);
void watch_end(struct watch *w, struct bench_watched *out);

/* W-GOV, W-HOT and W-BUSY, those that hold: 1 << WARNING_GOV and so on
 * (stats/warning.h). */
unsigned watch_warnings(const struct bench_host *h,
    const struct bench_watched *s);

#endif
