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
	unsigned inflight;	/* its depth */
	const void *in;
	void *out;		/* out_bytes, 0 from npu_output_size() on */
	size_t out_bytes;	/* a multiple of LAYOUT_ALIGN */
	const struct bench_plan *plan;
	uint64_t seed;		/* of arrivals */
	bool summed;		/* checksum is known */
	uint64_t checksum;	/* of the first output */
};

/* A phase of load on it.  0: no such limit. */
struct load_phase {
	const char *what;	/* "warm-up inference", for messages */
	enum bench_scenario scenario;
	double rate;		/* arrivals a second; SERVER */
	struct bench_sample *sample;	/* room of them; NULL: not kept */
	uint64_t room;
	uint64_t least_ns, least_n;	/* ends when both are reached, ... */
	uint64_t most_ns, most_n;	/* ... or one of these, ... */
	const _Atomic uint32_t *until;	/* ... or this is not 0; then without
					   least_ns and least_n */
	uint64_t over_ns, most_over;	/* ... or most_over took over_ns */

	/* Results. */
	uint64_t at;		/* clock_ns() when it began */
	uint64_t n, failed;	/* inferences that succeeded, and did not */
	uint64_t over;		/* that took longer than over_ns */
	uint64_t left;		/* arrivals dropped while they waited */
	uint64_t first_begin, last_end;	/* of those that succeeded; from at */
	bool full;		/* ended because the room was used up */
	struct npu_err err;	/* of that which ended it, else of the first
				   failure; code 0: none */
};

/*
 * Runs until the phase ends and all that was put is got.  Returns 0; or why it
 * was cut short, with p->err: an enum npu_code, or EXIT_FAILED for an output
 * that differs from the first.  A failed inference ends it only as the tenth in
 * a row.
 */
int load_run(struct meter *m, struct load_phase *p);

#endif
