/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures how busy an NPU is, by asking its driver once in each step of time,
 * at a random time within the step.  Every time is equally likely, so a share
 * is correct on average for any pattern of work, even if the pattern has the
 * period of the steps or of the caller.  A share varies no more than with the
 * same number of independent times.
 *
 * The caller passes the time: ns of clock_ns(), or a test's time.
 */
#ifndef DIAGNOSE_SAMPLER_H
#define DIAGNOSE_SAMPLER_H

#include "diagnose/kmd.h"

enum {
	SAMPLER_CORES = 64,	/* in all clusters; if there are more, no core
				   is counted */
	SAMPLER_THREADS = 64,	/* different threads; more are left out */
};

struct sampler_counts {
	unsigned samples;		/* questions answered */
	unsigned busy, exceptions;	/* numbers of samples */
	uint32_t status;		/* the last status: enum kmd_status */
	/* Numbers of samples in which a core was busy, or in which a thread's
	 * jobs ran, if the driver's generation reports that. */
	bool has_cores, has_threads;
	unsigned cores, threads;
	struct {
		uint32_t cluster, core;
		unsigned busy;
	} core[SAMPLER_CORES];
	struct {
		uint32_t id;
		unsigned busy;
	} thread[SAMPLER_THREADS];
};

struct sampler {
	uint64_t step;			/* ns */
	uint64_t begin, at;		/* begin of the step; time of its
					   question */
	uint64_t random;
	struct sampler_counts counts;
};

/* Starts sampling a driver with the clusters in cap. */
void sampler_start(struct sampler *s, uint64_t step, uint64_t seed,
    uint64_t now, const struct kmd *k, const struct kmd_cap *cap);

/* Asks once, and sets s->at to the next time.  Missed times are not made up
 * for.  On failure, as for kmd_ask(), counts nothing. */
int sampler_sample(struct sampler *s, struct kmd *k, uint64_t now,
    struct npu_err *err);

/* Sets all counts to 0. */
void sampler_clear(struct sampler *s);

#endif
