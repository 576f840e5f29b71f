/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files activity*.c share. */
#ifndef DIAGNOSE_ACTIVITY_IMPL_H
#define DIAGNOSE_ACTIVITY_IMPL_H

#include <sys/stat.h>

#include "diagnose/activity.h"
#include "host/sys.h"

#define ACTIVITY_SECOND UINT64_C(1000000000)

enum { ACTIVITY_INTERRUPTS_SIZE = 1 << 20 };

/* Counters, which never decrease. */
struct activity_totals {
	uint64_t ns;		/* time of reading */
	int64_t active_ms, suspended_ms, interrupts;	/* -1: unknown */
};

struct activity {
	const char *root;
	const char *node;
	char *real_node;	/* as shown in /proc; owned */
	struct kmd kmd;
	bool here;
	struct npu_err gone;
	struct npu_err trouble;	/* see activity_reading */
	struct stat identity;	/* of the open node */
	char driver_version[20];
	struct sampler sampler;
	uint64_t step, seed;
	char device[SYS_PATH];	/* folder of the platform device; "": unknown */
	char hidden[ACTIVITY_HIDDEN][HEALTH_TEXT];
	struct activity_totals last;
	char *interrupts;	/* buffer for /proc/interrupts; owned */
	struct host_items temps, powers;
	uint64_t sensors_ns;	/* time of reading both; 0: never */
	bool has_holders;
	struct host_holders holders;
	uint64_t holders_ns, search_ns;	/* when the last search began, and when
					   the next may begin */
	uint64_t device_ns;	/* when the device was last searched for */
	uint64_t self_ns, judged_self_ns, judged_ns;
	uint64_t searched_ns;	/* processor time of searches since judged_ns */
};

double activity_mhz(struct activity *a);
void activity_power(struct activity *a, struct activity_reading *r);
void activity_sensors(struct activity *a, struct activity_reading *r);
void activity_totals(struct activity *a, struct activity_totals *t);

/* Return, for the time between two readings, the share of the kernel's counted
 * time in which the NPU was powered, and interrupts per second. */
double activity_active(const struct activity_totals *a,
    const struct activity_totals *b);
double activity_interrupts(const struct activity_totals *a,
    const struct activity_totals *b);

#endif
