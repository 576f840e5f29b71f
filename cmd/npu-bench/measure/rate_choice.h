/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the choices of --find-rate: which rate is tried next, with how many
 * arrivals, when the search ends, and between which rates the answer lies.
 * Measures nothing itself: rate_search() measures, and tests simulate queues.
 *
 *	rate_choice_start(&c, &goal);
 *	while (rate_choice_next(&c, &trial)) {
 *		...			try trial.rate
 *		rate_choice_add(&c, &trial, &counts);
 *	}
 *	rate_choice_answer(&c, &answer);
 *
 * The search looks for the rate at which, in the long run, the share of late
 * inferences is the share that the percentile allows.  First the rate is
 * doubled or halved, and then the interval is halved until it is narrow.  After
 * that, trials on both sides of the crossing are evaluated together
 * (stats/crossing).  A single trial does not decide, and each has arrivals of
 * its own: with the same arrivals for all, an unlucky sequence would mislead
 * all trials alike.
 */
#ifndef NPU_BENCH_MEASURE_RATE_CHOICE_H
#define NPU_BENCH_MEASURE_RATE_CHOICE_H

#include "npu-bench/bench.h"
#include "stats/crossing.h"

/* Bounds a trial's percentile by this sample, counted from the longest: one
 * late wake-up then decides nothing. */
enum { RATE_OVER = 5 };

struct rate_goal {
	double first;		/* --rate; arrivals a second, like all rates */
	uint64_t bound_ns;
	uint32_t percentile;	/* in the unit of percent_parse(), below 100
				   % */
	uint64_t room;		/* most arrivals in a trial */
	uint64_t most_ns;	/* limit of the search's time; 0: no limit */
};

/* One to be made. */
struct rate_trial {
	double rate;
	uint64_t n;		/* number of arrivals */
	uint64_t skip;		/* arrivals to skip, before the queue reaches
				   its usual length */
	uint64_t most_late;	/* the trial ends when so many are late */
	uint64_t most_ns;	/* or when this time has passed; 0: no limit */
};

/* Counts of a trial, without the skipped arrivals. */
struct rate_counts {
	uint64_t n, late;
	uint64_t alone, alone_late;	/* arrivals that came to an empty
					   queue, and how many of those were
					   late */
	double completed;	/* a second, of all arrivals */
	uint64_t ns;		/* duration of the trial */
};

struct rate_answer {
	double low, high;	/* 0 and INFINITY: unknown */
	bool none;		/* no rate keeps the bound */
};

struct rate_choice {
	struct rate_goal goal;
	double part;		/* share that may be late */
	double kept, broken;	/* rates that single trials showed to keep or
				   break the bound */
	bool none, over;
	unsigned side;		/* side of the crossing for the next trial */
	uint64_t alone, alone_late, ns;	/* over all trials */
	double completed;	/* largest of all trials */
	double centre;		/* logarithm of the likeliest rate */
	struct crossing_point point[BENCH_TRIALS];
	unsigned points;
	struct crossing near;	/* the trials near the centre */
	unsigned nears;		/* number of trials in near */
};

void rate_choice_start(struct rate_choice *c, const struct rate_goal *g);

/* Chooses the next trial.  Returns false when the search is over. */
bool rate_choice_next(struct rate_choice *c, struct rate_trial *t);

void rate_choice_add(struct rate_choice *c, const struct rate_trial *t,
    const struct rate_counts *counts);

void rate_choice_answer(const struct rate_choice *c, struct rate_answer *a);

/* Counts n samples of a trial, in the order of their arrivals, and failed
 * inferences, which count as late. */
void rate_count(const struct bench_sample *s, uint64_t n, uint64_t failed,
    const struct rate_goal *g, const struct rate_trial *t,
    struct rate_counts *counts);

#endif
