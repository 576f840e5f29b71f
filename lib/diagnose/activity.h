/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the activity of an NPU: how busy it is, its clock, power, interrupts
 * and temperature, and which processes have it open.  Changes nothing: it reads
 * files, and asks the driver only the questions in kmd.h.
 *
 *	activity_open(&a, root, node, seed, &err);
 *	for (;;) {
 *		until the caller wants a reading:
 *			wait until activity_next(a), then activity_sample(a);
 *		activity_read(a, &r);
 *	}
 *	activity_close(a);
 *
 * A device that disappears or returns is not a failure.
 */
#ifndef DIAGNOSE_ACTIVITY_H
#define DIAGNOSE_ACTIVITY_H

#include "diagnose/health/health.h"
#include "diagnose/sampler.h"
#include "host/process.h"

enum {
	ACTIVITY_STEP_MS = 10,	/* least time between questions */
	ACTIVITY_SLOW_MS = 160,	/* longest time between questions */
	ACTIVITY_RARE = 400,	/* the next search for holders waits this many
				   times as long as the last one took: 0.25 % of
				   a processor */
};

/* Values that only users with a permission can read. */
enum activity_hidden {
	ACTIVITY_STATUS,	/* all answers of the driver */
	ACTIVITY_MHZ,
	ACTIVITY_POWER,
	ACTIVITY_INTERRUPTS,
	ACTIVITY_HOLDERS,	/* some of the holders */
	ACTIVITY_HIDDEN
};

struct activity_thread {
	pid_t id, pid;			/* pid 0: unknown */
	char command[HOST_NAME];	/* "": unknown */
	unsigned busy;			/* samples while its jobs ran */
};

struct activity_reading {
	bool here;			/* the driver answers */
	struct npu_err gone;		/* why it does not */
	double seconds;			/* since the last reading */
	char driver_version[20];	/* "": unknown, here and below */
	struct sampler_counts counts;
	struct activity_thread thread[SAMPLER_THREADS];	/* counts.threads are in
							   use */
	double mhz;			/* NAN: unknown, here and below */
	char power[32];			/* "active", "suspended", ... */
	double active;			/* share of the time */
	double interrupts;		/* per second */
	char sensor[HOST_NAME];		/* with NPU in its name, or else the
					   hottest */
	double celsius;
	char power_sensor[HOST_NAME];	/* with NPU in its name, or else with
					   the greatest power */
	double watts;
	bool has_holders;		/* a search has been made */
	double holders_age;		/* seconds since the search */
	struct host_holders holders;
	double self;			/* processors that this process uses */
	char hidden[ACTIVITY_HIDDEN][HEALTH_TEXT];	/* who may read the
							   value; "": not
							   hidden */
	struct npu_err trouble;		/* the first file since
					   activity_open() that could not be
					   read; code 0: none */
};

struct activity;

/* root: "", or the folder with dev, proc and sys.  Fails with NPU_ENODEV if the
 * driver does not answer, except if only a permission is missing. */
int activity_open(struct activity **a, const char *root, const char *node,
    uint64_t seed, struct npu_err *err);
void activity_close(struct activity *a);	/* NULL is allowed */

/* Returns when to call activity_sample(), in ns of clock_ns(); UINT64_MAX
 * without a driver. */
uint64_t activity_next(const struct activity *a);
void activity_sample(struct activity *a);

/* Reads the activity since the last reading, or since activity_open(). */
void activity_read(struct activity *a, struct activity_reading *r);

#endif
