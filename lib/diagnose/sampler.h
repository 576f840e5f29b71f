/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How busy an NPU is, by asking its driver often: one question at a moment of
 * chance in each step of time.  So every moment is as likely to be asked at as
 * any other, and a share is right on average whatever pattern the work has,
 * one with the period of the steps or of the caller, too.  And it varies no
 * more than one of as many independent moments.
 *
 * Time is the caller's: ns of clock_ns(), or a test's.
 */
#ifndef DIAGNOSE_SAMPLER_H
#define DIAGNOSE_SAMPLER_H

#include "diagnose/kmd.h"

enum {
	SAMPLER_CORES = 64,	/* of all clusters; where there are more, none
				   is told apart */
	SAMPLER_THREADS = 64,	/* different ones; more are left out */
};

struct sampler_counts {
	unsigned samples;		/* that were answered */
	unsigned busy, exceptions;	/* of them */
	uint32_t status;		/* the last: enum kmd_status */
	/* Samples in which a core was busy, or jobs of a thread ran; those
	 * of the driver of a generation that tells. */
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
	uint64_t begin, at;		/* of this step; its moment */
	uint64_t random;
	struct sampler_counts counts;
};

/* Of a driver with these clusters, from now on. */
void sampler_start(struct sampler *s, uint64_t step, uint64_t seed,
    uint64_t now, const struct kmd *k, const struct kmd_cap *cap);

/*
 * Asks, and sets s->at to the next moment.  One that has gone by is not made
 * up for.  Fails as kmd_ask() does; nothing is counted then.
 */
int sampler_sample(struct sampler *s, struct kmd *k, uint64_t now,
    struct npu_err *err);

/* Begins to count anew. */
void sampler_clear(struct sampler *s);

#endif
