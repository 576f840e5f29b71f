/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the interrupts of the SMMUs' event queues.  Firmware of Sky1 boards
 * whose table IORT covers too few stream ids causes about 130 interrupts a
 * second, and such a board freezes after hours (kernel-driver 8.12).
 */
#ifndef HOST_SMMU_H
#define HOST_SMMU_H

#include <stdbool.h>
#include <stdint.h>

#include "npu.h"

enum { HOST_SMMU_STORM = 50 };	/* events per second; more are a storm */

#define HOST_SMMU_FIX \
	"https://github.com/ErcinDedeoglu/orangepi-6plus-cix-sky1-smmu-fix"

struct host_smmu {
	bool known;		/* the machine has such a queue */
	uint64_t events;	/* since the machine started */
	double seconds;		/* since the machine started */
};

/* Reads /proc/interrupts and /proc/uptime.  If one cannot be read or has no
 * count, known is false; unexpected errors go to *trouble (host.h). */
void host_read_smmu(const char *root, struct host_smmu *s,
    struct npu_err *trouble);

/* Returns the events per second between a and b, where {0} is the start of the
 * machine.  If no time has passed, counts from the start.  NAN: unknown. */
double host_smmu_rate(const struct host_smmu *a, const struct host_smmu *b);

#endif
