/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an NPU does: how busy it is, its clock, power, interrupts and heat, and
 * who has it open.  Nothing is changed: files are read, and the driver is asked
 * what kmd.h allows.
 *
 *	activity_open(&a, root, node, seed, &err);
 *	for (;;) {
 *		until the caller wants a reading:
 *			wait until activity_next(a), then activity_sample(a);
 *		activity_read(a, &r);
 *	}
 *	activity_close(a);
 *
 * A device that goes away, and one that comes back, is no failure.
 */
#ifndef DIAGNOSE_ACTIVITY_H
#define DIAGNOSE_ACTIVITY_H

#include "diagnose/health.h"
#include "diagnose/sampler.h"
#include "host/process.h"

enum {
	ACTIVITY_STEP_MS = 10,	/* between questions, at least */
	ACTIVITY_SLOW_MS = 160,	/* and at most */
	ACTIVITY_RARE = 400,	/* times what the search for those who have it
				   open took go by before the next: 0.25 % of a
				   processor */
};

/* What may be hidden by a permission. */
enum activity_hidden {
	ACTIVITY_STATUS,	/* all that the driver tells */
	ACTIVITY_MHZ,
	ACTIVITY_POWER,
	ACTIVITY_INTERRUPTS,
	ACTIVITY_HOLDERS,	/* some of them */
	ACTIVITY_HIDDEN
};

struct activity_thread {
	pid_t id, pid;			/* pid 0: not known */
	char command[HOST_NAME];	/* "": not known */
	unsigned busy;			/* samples in which its jobs ran */
};

struct activity_reading {
	bool here;			/* the driver answers */
	struct npu_err gone;		/* why not */
	double seconds;			/* since the reading before */
	char driver_version[20];	/* "": not known, here and below */
	struct sampler_counts counts;
	struct activity_thread thread[SAMPLER_THREADS];	/* those counted */
	double mhz;			/* NAN: not known, here and below */
	char power[32];			/* "active", "suspended", ... */
	double active;			/* share of the time */
	double interrupts;		/* a second */
	char sensor[HOST_NAME];		/* one that is called after an NPU, or
					   else the hottest */
	double celsius;
	bool has_holders;		/* they were searched for */
	double holders_age;		/* seconds since then */
	struct host_holders holders;
	double self;			/* processors that this process takes */
	char hidden[ACTIVITY_HIDDEN][HEALTH_TEXT];	/* who may know; "" */
	struct npu_err trouble;		/* the first, since activity_open(),
					   that could not be read; code 0: all
					   was */
};

struct activity;

/*
 * root: "", or the folder of dev, proc and sys.  Fails with NPU_ENODEV if the
 * driver does not answer, unless only a permission is missing.
 */
int activity_open(struct activity **a, const char *root, const char *node,
    uint64_t seed, struct npu_err *err);
void activity_close(struct activity *a);	/* NULL is allowed */

/* When the driver is to be asked, in ns of clock_ns(); UINT64_MAX: there is
 * none. */
uint64_t activity_next(const struct activity *a);
void activity_sample(struct activity *a);

/* What was since the last reading, or activity_open(). */
void activity_read(struct activity *a, struct activity_reading *r);

#endif
