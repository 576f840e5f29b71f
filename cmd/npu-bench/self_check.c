// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "self_check.h"
#include "slowdown.h"

static bool
emulated(const struct bench *b)
{
	for (unsigned i = 0; i < b->runs; i++)
		if (!b->run[i]->library.emulator)
			return false;
	return true;
}

/*
 * Returns the exit status of the second comparison; EXIT_DONE if it is right.
 */
static int
status_of(const struct bench *b, const struct bench_gate *g)
{
	double percent = 100 * slowdown_fraction(g);

	if (b->verdicts.verdict == BENCH_REGRESSION) {
		cmd_note("--self-check: with itself a pass, and %.3g %% longer "
		    "a regression", percent);
		return EXIT_DONE;
	}
	cmd_warn("--self-check: inferences that take %.3g %% longer are %s",
	    percent, b->verdicts.verdict == BENCH_PASS ? "passed" :
	    "inconclusive");
	return b->verdicts.verdict == BENCH_PASS ? EXIT_VERDICT :
	    bench_gate_status(g, b);
}

int
self_check(const struct bench *same, const struct npu_bench_options *o,
    char **argv, struct rounds_result *result)
{
	int status = bench_gate_status(&o->gate, same);
	struct npu_bench_options longer = *o;
	struct bench *b;

	if (same->verdicts.verdict != BENCH_PASS)
		return status;
	if (!emulated(same)) {
		cmd_note("--self-check: compared only with itself, as an NPU "
		    "cannot be slowed down");
		return status;
	}
	b = cmd_alloc(sizeof(*b));
	*b = *same;
	b->run = NULL;
	b->runs = 0;
	b->verdicts = (struct bench_verdicts){ .verdict = BENCH_NO_GATE };
	longer.same = same;
	longer.idle_ns = 0;
	rounds_run(b, &longer, argv, result);
	status = result->status != EXIT_DONE ? result->status :
	    status_of(b, &o->gate);
	free(b->run);
	free(b);
	return status;
}
