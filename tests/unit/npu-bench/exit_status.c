// SPDX-License-Identifier: Apache-2.0
/* Tests the exit status for made-up runs, warnings and verdicts. */
#include <math.h>
#include <stdlib.h>

#include "cmd.h"
#include "npu-bench/exit_status.h"
#include "tap.h"

const struct program program = { .name = "exit_status" };

#define MS UINT64_C(1000000)	/* ns */

/* Latencies in ms.  Their 90th percentile must be at most 20 ms.  For 10
 * samples, this percentile is unknown. */
enum { NONE, KEPT = 10, LATE = 30 };

/* The result of --find-rate. */
enum search { NO_SEARCH, A_RATE, NO_RATE, NO_ANSWER };

static const struct {
	const char *what;
	unsigned ms[2], samples;	/* in each of two runs */
	enum search search;
	bool strict, warned;
	enum bench_verdict verdict;	/* of the comparison with a baseline */
	int result, status;		/* result: status if runs failed;
					 * status: the expected exit status */
} row[] = {
	{ "both runs keep the bound: status 0",
	    { KEPT, KEPT }, 100, .status = EXIT_DONE },
	{ "only the second run keeps the bound: status 4",
	    { LATE, KEPT }, 100, .status = EXIT_VERDICT },
	{ "only the first run keeps the bound: status 4",
	    { KEPT, LATE }, 100, .status = EXIT_VERDICT },
	{ "no run keeps the bound: status 4",
	    { LATE, LATE }, 100, .status = EXIT_VERDICT },
	{ "too few samples to know if the bound is kept: status 5",
	    { KEPT, KEPT }, 10, .status = EXIT_NOVERDICT },
	{ "--find-rate finds a rate: status 0, even if the window is too slow",
	    { LATE, LATE }, 100,
	    .search = A_RATE, .status = EXIT_DONE },
	{ "no rate keeps the bound: status 4",
	    { KEPT, KEPT }, 100, .search = NO_RATE,
	    .status = EXIT_VERDICT },
	{ "--find-rate finds no rate in its time: status 5",
	    { KEPT, KEPT }, 100,
	    .search = NO_ANSWER, .status = EXIT_NOVERDICT },
	{ "--strict without a warning: status 0",
	    { KEPT, KEPT }, 100, .strict = true,
	    .status = EXIT_DONE },
	{ "--strict with a warning: status 5",
	    { KEPT, KEPT }, 100, .strict = true,
	    .warned = true, .status = EXIT_NOVERDICT },
	{ "a warning without --strict: status 0",
	    { KEPT, KEPT }, 100, .warned = true,
	    .status = EXIT_DONE },
	{ "too few samples, and --strict with a warning: status 5",
	    { KEPT, KEPT }, 10, .strict = true,
	    .warned = true, .status = EXIT_NOVERDICT },
	{ "a regression outweighs an unknown bound: status 4",
	    { KEPT, KEPT }, 10,
	    .verdict = BENCH_REGRESSION, .status = EXIT_VERDICT },
	{ "a bound that was not kept outweighs a pass: status 4",
	    { LATE, LATE }, 100,
	    .verdict = BENCH_PASS, .status = EXIT_VERDICT },
	{ "a failed run outweighs a regression: status 1",
	    { LATE, LATE }, 100, .result = EXIT_FAILED,
	    .verdict = BENCH_REGRESSION, .status = EXIT_FAILED },
};

/* Makes a run of a server with n latencies of ms.  The caller frees the run. */
static struct bench_run *
server(unsigned ms, unsigned n)
{
	struct bench_run *r = cmd_alloc(sizeof(*r) +
	    n * sizeof(struct bench_sample));

	*r = (struct bench_run){ .load.scenario = SERVER, .room = n,
	    .window.n = n };
	for (unsigned i = 0; i < n; i++)
		bench_samples(r)[i] = (struct bench_sample){
		    .due = i * 100 * MS, .end = (i * 100 + ms) * MS };
	return r;
}

static int
status_of(size_t i)
{
	static const struct bench_plan plan = { .bound_ns = 20 * MS,
	    .bound_percentile = 90000000 };
	struct npu_bench_options o = { .strict = row[i].strict, .gate.baseline =
	    row[i].verdict != BENCH_NO_GATE ? "base.json" : NULL };
	struct rounds_result result = { .status = row[i].result };
	struct bench_stats *s = cmd_alloc(2 * sizeof(*s));
	struct bench_run *run[2];
	struct bench b = { .plan = &plan, .run = run, .runs = 2,
	    .verdicts.verdict = row[i].verdict };
	int status;

	for (int k = 0; k < 2; k++) {
		run[k] = server(row[i].ms[k], row[i].samples);
		run[k]->search.n = row[i].search != NO_SEARCH;
		run[k]->search.low = row[i].search == A_RATE ? 50 : 0;
		run[k]->search.none = row[i].search == NO_RATE;
	}
	s[1].warnings = row[i].warned;
	status = exit_status(&o, &b, s, &result);
	free(run[0]);
	free(run[1]);
	free(s);
	return status;
}

int
main(void)
{
	int got;

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		got = status_of(i);
		if (!ok(got == row[i].status, "%s", row[i].what))
			diag("exit status %d", got);
	}
	return done();
}
