// SPDX-License-Identifier: Apache-2.0
/*
 * ratesim - how often --find-rate is right, on ideal queues.
 *
 *	ratesim [SEARCHES [MINUTES [SEED]]]
 *
 * Simulates 3 latencies, 3 bounds of the 99th percentile, and 1 and 3 cores.
 * Each combination is searched SEARCHES times (150), with the seeds SEED (1),
 * SEED + 1, ..., each search for at most MINUTES (0: no limit).  Prints a line
 * for each combination: the true rate, by formula; the percentage of the
 * answers that contain it; how many answers have a lower end above the true
 * rate, and above what the queue can do; how many are wider than 8 %; the
 * median and the 95th percentile of the width (high / low - 1) and of the
 * duration; and whether this is right: 95 % of the answers contain the true
 * rate, no answer is above what the queue can do and, without a limit, no
 * answer is wide.  The status is 1 if a combination is wrong.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "stats/percentile.h"
#include "unit/npu-bench/ideal_queue.h"

const struct program program = { .name = "ratesim" };

enum { MS = 1000000, MOST = 10000 };

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct task {
	unsigned searches;
	double minutes;
	uint64_t seed;
};

struct tally {
	unsigned n, held, high, above, wide;
	double width[MOST], minutes[MOST];
};

static void
tally(struct tally *t, const struct ideal *d, const struct search *s,
    double truth)
{
	t->held += s->answer.low <= truth && truth <= s->answer.high;
	t->high += s->answer.low > truth;
	t->above += s->answer.low > d->cores * 1e9 / (double)d->ns;
	t->wide += s->answer.high > 1.0801 * s->answer.low;
	t->width[t->n] = 100 * (s->answer.high / s->answer.low - 1);
	t->minutes[t->n++] = (double)s->ns / 60e9;
}

static double
of(double *x, unsigned n, unsigned percent)
{
	qsort(x, n, sizeof(*x), ascending);
	return x[percentile_rank(percent * PERCENT, n) - 1];
}

static bool
is_right(const struct tally *t, const struct task *task)
{
	return 100 * t->held >= 95 * t->n && t->above == 0 &&
	    (t->wide == 0 || task->minutes > 0);
}

static bool
cell(const struct ideal *d, uint64_t bound_ms, const struct task *task)
{
	static struct tally t;
	struct rate_goal g = { .first = 0.5e9 / (double)d->ns * d->cores,
	    .bound_ns = bound_ms * MS, .percentile = 99 * PERCENT,
	    .room = IDEAL_ROOM, .most_ns = (uint64_t)(task->minutes * 60e9) };
	double truth = true_rate(d, g.bound_ns, 0.01);
	struct search s;

	t = (struct tally){ 0 };
	for (unsigned i = 0; i < task->searches; i++) {
		search_ideal(d, &g, task->seed + i, &s);
		tally(&t, d, &s, truth);
	}
	printf("%2" PRIu64 " ms, %u core%s, p99 <= %3" PRIu64 " ms: %8.2f/s, "
	    "%5.1f %% hold it, %u too high, %u above capacity, %u wide; "
	    "%.1f %.1f %%, %.1f %.1f min: %s\n", d->ns / MS, d->cores,
	    d->cores > 1 ? "s" : " ", bound_ms, truth,
	    100.0 * t.held / t.n, t.high, t.above, t.wide,
	    of(t.width, t.n, 50), of(t.width, t.n, 95),
	    of(t.minutes, t.n, 50), of(t.minutes, t.n, 95),
	    is_right(&t, task) ? "right" : "WRONG");
	fflush(stdout);
	return is_right(&t, task);
}

int
main(int argc, char *argv[])
{
	static const uint64_t bounds[] = { 20, 50, 200 }, ms[] = { 2, 5, 10 };
	struct task task = { argc > 1 ? (unsigned)atoi(argv[1]) : 150,
	    argc > 2 ? atof(argv[2]) : 0,
	    argc > 3 ? (uint64_t)atoll(argv[3]) : 1 };
	bool right = true;

	if (task.searches == 0 || task.searches > MOST)
		cmd_die("1 to %d searches", MOST);

	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = 0; k < 3; k++)
			for (unsigned cores = 1; cores <= 3; cores += 2)
				right &= cell(&(struct ideal){ ms[i] * MS,
				    cores }, bounds[k], &task);
	return right ? 0 : 1;
}
