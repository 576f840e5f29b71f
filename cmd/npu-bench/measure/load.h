/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load shapes, each a rule of when the next inference is due; what puts,
 * gets and times them is the same for all, one thread over an npu_queue.
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
	const void *in;
	void *out;		/* 0 from npu_output_size() to out_bytes */
	size_t out_bytes;	/* a multiple of LAYOUT_ALIGN */
	const struct bench_plan *plan;
	uint64_t seed;		/* of arrivals */
	bool summed;		/* checksum is that of the first output */
	uint64_t checksum;
};

/* A stretch of load on it.  0: no such limit. */
struct load_phase {
	const char *what;	/* "inference", in messages */
	enum bench_scenario scenario;
	double rate;		/* arrivals a second; SERVER */
	struct bench_sample *sample;	/* room for so many; NULL: not kept */
	uint64_t room;
	uint64_t least_ns, least_n;	/* ends when both are reached, ... */
	uint64_t most_ns, most_n;	/* ... or one of these, ... */
	const _Atomic uint32_t *until;	/* ... or this is not 0; NULL: without
					   any of them */
	uint64_t over_ns, most_over;	/* ... or so many took longer */

	/* What came of it. */
	uint64_t at;		/* clock_ns() when it began */
	uint64_t n, failed;	/* that went well, and not */
	uint64_t over;		/* that took longer than over_ns */
	uint64_t left;		/* arrivals that were given up, still waiting */
	uint64_t first_begin, last_end;	/* of those that went well; from at */
	bool full;		/* ended because the room was */
	struct npu_err err;	/* of the first that failed, or of what ended
				   it; code 0: nothing */
};

/*
 * Until it ends, and all that was put is got.  0; or how it was cut short, an
 * enum npu_code or EXIT_FAILED (an output that differs from the first), which
 * p->err tells.  One inference that fails is no reason, ten in a row are.
 */
int load_run(struct meter *m, struct load_phase *p);

#endif
