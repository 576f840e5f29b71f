/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parsers of files of /proc (proc(5)): bytes in, numbers out; no file is opened
 * here.  Unknown lines are skipped, so that kernels which have more or
 * fewer are read too; impossible numbers are refused.
 */
#ifndef HOST_PROC_H
#define HOST_PROC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "npu.h"

/* /proc/stat: ticks of all processors since the machine started. */
struct host_cpu {
	/* user, nice, system, idle, iowait, irq, softirq, steal; those that the
	 * kernel lacks are 0.  guest is within user. */
	uint64_t ticks[8];
	unsigned count;		/* processors; at least 1 */
};

int host_parse_stat(struct bytes b, struct host_cpu *c, struct npu_err *err);
/* Ticks between two readings. */
struct host_span {
	double all, busy;	/* of all processors; busy: neither idle nor
				   waiting for a disk */
	double processes;	/* part of busy: user, nice and system */
};

/* The ticks between a and b.  Numbers that went down, as idle and iowait may
 * (proc(5)), count as 0. */
struct host_span host_cpu_span(const struct host_cpu *a,
    const struct host_cpu *b);

/*
 * The percentage of the time between a and b that processors were busy.  If no
 * time has passed: since the start of the machine.  NAN if that is no time
 * either.
 */
double host_cpu_percent(const struct host_cpu *a, const struct host_cpu *b);

/* /proc/meminfo. */
struct host_memory {
	uint64_t total, available;	/* KiB; available is <= total */
};

/* available is MemAvailable, or MemFree + Buffers + Cached of a kernel before
 * 3.14. */
int host_parse_meminfo(struct bytes b, struct host_memory *m,
    struct npu_err *err);
/* The percentage that is not available, which free(1) calls used. */
double host_memory_percent(const struct host_memory *m);

/* /proc/loadavg: the load of one minute. */
int host_parse_loadavg(struct bytes b, double *load, struct npu_err *err);

/* /proc/interrupts: the sum over all processors of the lines whose last words
 * name the device, "aipu" or "other, aipu".  NPU_EFORMAT if no line does. */
int host_parse_interrupts(struct bytes b, const char *device, uint64_t *count,
    struct npu_err *err);

/* A file with a single number, such as a temperature of /sys. */
int host_parse_number(struct bytes b, int64_t *v, struct npu_err *err);

#endif
