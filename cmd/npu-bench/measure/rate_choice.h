/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choices of --find-rate: which rate is tried next, with how many arrivals,
 * when the search ends, and between which rates the answer lies.  Measures
 * nothing: rate_search() does, and tests, of queues that they simulate.
 *
 *	rate_choice_start(&c, &goal);
 *	while (rate_choice_next(&c, &trial)) {
 *		...			try trial.rate
 *		rate_choice_add(&c, &trial, &counts);
 *	}
 *	rate_choice_answer(&c, &answer);
 *
 * The rate looked for is that at which the part of inferences that are late is
 * what the percentile leaves, in the long run.  First the rate is doubled, or
 * halved, and the interval halved until it is narrow; then trials on either
 * side of where they cross are taken together (stats/crossing).  No trial
 * decides alone, and each has arrivals of its own: with the same arrivals for
 * all, an unlucky sequence would mislead all of them alike.
 */
#ifndef NPU_BENCH_MEASURE_RATE_CHOICE_H
#define NPU_BENCH_MEASURE_RATE_CHOICE_H

#include "npu-bench/bench.h"
#include "stats/crossing.h"

/* A trial's percentile is bounded by this sample from the longest, so that one
 * late wake-up decides nothing. */
enum { RATE_OVER = 5 };

struct rate_goal {
	double first;		/* rate; arrivals a second, as all rates */
	uint64_t bound_ns;
	uint32_t percentile;	/* as percent_parse() has it, below 100 % */
	uint64_t room;		/* arrivals of a trial, at most */
	uint64_t most_ns;	/* of the search; 0: no limit */
};

/* One to be made. */
struct rate_trial {
	double rate;
	uint64_t n;		/* arrivals */
	uint64_t skip;		/* of them, before the queue is as long as it
				   is going to be */
	uint64_t most_late;	/* ends when so many are */
	uint64_t most_ns;	/* or so much time has passed; 0: no limit */
};

/* What was counted, without those skipped. */
struct rate_counts {
	uint64_t n, late;
	uint64_t alone, alone_late;	/* that came when none was there */
	double completed;	/* a second, of all */
	uint64_t ns;		/* that it took */
};

struct rate_answer {
	double low, high;	/* 0, INFINITY: not known */
	bool none;		/* no rate keeps the bound */
};

struct rate_choice {
	struct rate_goal goal;
	double part;		/* that may be late */
	double kept, broken;	/* rates, by one trial each */
	bool none, over;
	unsigned side;		/* of the crossing, of the next trial */
	uint64_t alone, alone_late, ns;	/* of all trials */
	double completed;	/* most of any */
	double centre;		/* logarithm of the likeliest rate */
	struct crossing_point point[BENCH_TRIALS];
	unsigned points;
	struct crossing near;	/* of those near the centre */
	unsigned nears;		/* how many they are */
};

void rate_choice_start(struct rate_choice *c, const struct rate_goal *g);

/* False: the search is over. */
bool rate_choice_next(struct rate_choice *c, struct rate_trial *t);

void rate_choice_add(struct rate_choice *c, const struct rate_trial *t,
    const struct rate_counts *counts);

void rate_choice_answer(const struct rate_choice *c, struct rate_answer *a);

/* Counts n samples of a trial, in the order of their arrivals, and failed
 * ones, which are late. */
void rate_count(const struct bench_sample *s, uint64_t n, uint64_t failed,
    const struct rate_goal *g, const struct rate_trial *t,
    struct rate_counts *counts);

#endif
