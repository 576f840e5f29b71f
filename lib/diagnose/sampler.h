/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures how busy an NPU is, by asking its driver once in each step of time,
 * at a random time within the step.  Every time is equally likely, so a share
 * is right on average whatever the pattern of the work, even one with the
 * period of the steps or of the caller.  It varies no more than that of as many
 * independent times.
 *
 * Times are given by the caller: ns of clock_ns(), or a test's.
 */
#ifndef DIAGNOSE_SAMPLER_H
#define DIAGNOSE_SAMPLER_H

#include "diagnose/kmd.h"

enum {
	SAMPLER_CORES = 64,	/* in all clusters; if there are more, none is
				   counted */
	SAMPLER_THREADS = 64,	/* different ones; more are left out */
};

struct sampler_counts {
	unsigned samples;		/* questions answered */
	unsigned busy, exceptions;	/* of samples */
	uint32_t status;		/* the last: enum kmd_status */
	/* Samples in which a core was busy, or jobs of a thread ran, if the
	 * driver's generation reports that. */
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
	uint64_t begin, at;		/* of the step; time of its question */
	uint64_t random;
	struct sampler_counts counts;
};

/* Starts to sample a driver with these clusters. */
void sampler_start(struct sampler *s, uint64_t step, uint64_t seed,
    uint64_t now, const struct kmd *k, const struct kmd_cap *cap);

/* Asks, and sets s->at to the next time.  Missed times are not made up for.
 * Fails as kmd_ask() does, and then counts nothing. */
int sampler_sample(struct sampler *s, struct kmd *k, uint64_t now,
    struct npu_err *err);

/* Sets all counts to 0. */
void sampler_clear(struct sampler *s);

#endif
