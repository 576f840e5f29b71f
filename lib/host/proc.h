/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What files of /proc say (proc(5)).  Bytes in, numbers out: nothing here
 * opens a file.  Lines that are not known are passed over, so that kernels
 * which say more or less are read too; numbers that cannot be are refused.
 */
#ifndef HOST_PROC_H
#define HOST_PROC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "npu.h"

/* /proc/stat: ticks of all processors since the machine started. */
struct host_cpu {
	/* user, nice, system, idle, iowait, irq, softirq, steal: those that
	 * the kernel says, the others 0.  guest is within user. */
	uint64_t ticks[8];
	unsigned count;		/* processors that are there; at least 1 */
};

int host_parse_stat(struct bytes b, struct host_cpu *c, struct npu_err *err);
/* Ticks between two readings. */
struct host_span {
	double all, busy;	/* of all processors; busy: neither idle nor
				   waiting for a disk */
	double processes;	/* of that: user, nice and system */
};

/* Numbers that have gone down, as those of idle and iowait may (proc(5)), count
 * as no time. */
struct host_span host_cpu_span(const struct host_cpu *a,
    const struct host_cpu *b);

/*
 * Percent of the time between a and b in which a processor was busy.  Where no
 * time has gone by: since the start of the machine.  NAN when that is no time
 * either.
 */
double host_cpu_percent(const struct host_cpu *a, const struct host_cpu *b);

/* /proc/meminfo. */
struct host_memory {
	uint64_t total, available;	/* KiB; available is <= total */
};

/* available is MemAvailable; MemFree + Buffers + Cached of a kernel before
 * 3.14. */
int host_parse_meminfo(struct bytes b, struct host_memory *m,
    struct npu_err *err);
/* Percent that is not available: what free(1) calls used. */
double host_memory_percent(const struct host_memory *m);

/* /proc/loadavg: that of one minute. */
int host_parse_loadavg(struct bytes b, double *load, struct npu_err *err);

/*
 * /proc/interrupts: those of all processors together of the lines whose last
 * words name the device, "aipu" or "other, aipu".  NPU_EFORMAT where no line
 * does.
 */
int host_parse_interrupts(struct bytes b, const char *device, uint64_t *count,
    struct npu_err *err);

/* A number that is alone in its file, such as a temperature of /sys. */
int host_parse_number(struct bytes b, int64_t *v, struct npu_err *err);

#endif
