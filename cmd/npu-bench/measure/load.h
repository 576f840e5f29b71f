/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads a model with inferences.  A scenario is a rule for when the next one is
 * due; the rest is common to all: one thread puts them into an npu_queue, gets
 * and times them.
 *
 * Nothing here allocates, prints or starts a thread.
 */
#ifndef NPU_BENCH_MEASURE_LOAD_H
#define NPU_BENCH_MEASURE_LOAD_H

#include "npu-bench/bench.h"

/* A model that is measured. */
struct meter {
	struct npu *npu;
	struct npu_queue *queue;
	unsigned inflight;	/* depth of queue */
	const void *in;
	void *out;		/* out_bytes bytes, 0 from npu_output_size()
				   on */
	size_t out_bytes;	/* a multiple of LAYOUT_ALIGN */
	const struct bench_plan *plan;
	uint64_t seed;		/* seed for arrivals */
	bool summed;		/* checksum is set */
	uint64_t checksum;	/* of the first output */
};

/* A phase of load on a meter.  0: without that limit. */
struct load_phase {
	const char *what;	/* "warm-up inference", for messages */
	enum bench_scenario scenario;
	double rate;		/* arrivals a second; SERVER */
	struct bench_sample *sample;	/* room samples; NULL: not kept */
	uint64_t room;
	uint64_t least_ns, least_n;	/* the phase ends when both are
					   reached, ... */
	uint64_t most_ns, most_n;	/* ... or one of these, ... */
	const _Atomic uint32_t *until;	/* ... or this is not 0; least_n and
					   least_ns then do not apply */
	uint64_t over_ns, most_over;	/* ... or most_over inferences took
					   over_ns */

	/* Results. */
	uint64_t at;		/* clock_ns() when it began */
	uint64_t n, failed;	/* inferences that succeeded, and that failed */
	uint64_t over;		/* inferences that took longer than over_ns */
	uint64_t left;		/* arrivals dropped while they waited */
	uint64_t first_begin, last_end;	/* of inferences that succeeded; from
					   at */
	bool full;		/* the phase ended because room was used up */
	struct npu_err err;	/* the error that ended the phase, else the
				   first failure; code 0: no error */
};

/*
 * Runs until the phase ends and all inferences that were put are got.  Returns
 * 0; or why the phase was cut short, with p->err: an enum npu_code, or
 * EXIT_FAILED for an output that differs from the first.  Only the tenth failed
 * inference in a row ends the phase.
 */
int load_run(struct meter *m, struct load_phase *p);

#endif
