/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parsers of files of /proc (proc(5)): bytes in, numbers out; no file is opened
 * here.  Unknown lines are skipped, because kernels differ in the lines that
 * they have; impossible numbers are refused.
 */
#ifndef HOST_PROC_H
#define HOST_PROC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "npu.h"

/* /proc/stat: ticks of all processors since the machine started. */
struct host_cpu {
	/* user, nice, system, idle, iowait, irq, softirq, steal; ticks that the
	 * kernel does not report are 0.  user includes guest. */
	uint64_t ticks[8];
	unsigned count;		/* processors; at least 1 */
};

int host_parse_stat(struct bytes b, struct host_cpu *c, struct npu_err *err);
/* Ticks between two readings. */
struct host_span {
	double all, busy;	/* sums over all processors; busy: neither idle
				   nor waiting for a disk */
	double processes;	/* part of busy: user, nice and system */
};

/* Returns the ticks between a and b.  Numbers that decreased, as idle and
 * iowait may (proc(5)), count as 0. */
struct host_span host_cpu_span(const struct host_cpu *a,
    const struct host_cpu *b);

/*
 * Returns the percentage of the time between a and b that processors were busy.
 * If no time has passed, counts from the start of the machine.  Returns NAN if
 * that duration is also 0.
 */
double host_cpu_percent(const struct host_cpu *a, const struct host_cpu *b);

/* /proc/meminfo. */
struct host_memory {
	uint64_t total, available;	/* KiB; available is <= total */
};

/* Parses /proc/meminfo.  available is MemAvailable or, in kernels before 3.14,
 * MemFree + Buffers + Cached. */
int host_parse_meminfo(struct bytes b, struct host_memory *m,
    struct npu_err *err);
/* Returns the percentage that is not available, which free(1) calls used. */
double host_memory_percent(const struct host_memory *m);

/* Parses /proc/loadavg: the load of one minute. */
int host_parse_loadavg(struct bytes b, double *load, struct npu_err *err);
/* Parses /proc/uptime: the seconds since the machine started. */
int host_parse_uptime(struct bytes b, double *seconds, struct npu_err *err);

/*
 * Parses /proc/interrupts: adds up, over all processors, the lines whose last
 * words name the device, "aipu" or "other, aipu".  Fails with NPU_EFORMAT if no
 * line names it.
 */
int host_parse_interrupts(struct bytes b, const char *device, uint64_t *count,
    struct npu_err *err);

/* Parses a file with a single number, such as a temperature in /sys. */
int host_parse_number(struct bytes b, int64_t *v, struct npu_err *err);

#endif
