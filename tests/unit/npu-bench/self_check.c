// SPDX-License-Identifier: Apache-2.0
/*
 * Tests --self-check on made-up runs: how long inferences of its second
 * comparison take, and what it reports about the verdicts.
 */
#include <math.h>

#include "made_runs.h"
#include "npu-bench/self_check.h"
#include "npu-bench/slowdown.h"
#include "stderr_text.h"

const struct program program = { .name = "self_check" };

/* How the runs of the second comparison end, and with what they were called. */
static struct second {
	int status;		/* of the runs; not 0: a run failed */
	uint64_t wanted_n;	/* samples; more than SAMPLES: the run was cut
				 * short */
	unsigned calls;
	double ms[2];		/* duration of an inference of A and of B */
	bool idle;		/* true: the idle machine is measured again */
} second;

static bool
near(double a, double b)
{
	return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

static struct bench_run *again[6];	/* runs of the second comparison */

static void
forget(void)
{
	for (unsigned i = 0; i < 6; i++) {
		free(again[i]);
		again[i] = NULL;
	}
}

/* Replaces rounds_run() of rounds.c: makes three pairs of runs that take as
 * long as --self-check wants. */
void
rounds_run(struct bench *b, const struct npu_bench_options *o, char **argv,
    struct rounds_result *result)
{
	unsigned first = bench.runs;

	(void)argv;
	second.calls++;
	second.idle = o->idle_ns != 0;
	b->run = cmd_alloc(sizeof(again));
	for (unsigned i = 0; i < 6; i++) {
		struct bench_run *r = add("AB"[i % 2], i / 2, 0, SAMPLES);
		double ms;

		bench.runs = first;	/* not a run of the first comparison */
		ms = slowdown_infer_ms(o->same, &o->gate, r);
		second.ms[i % 2] = ms;
		for (unsigned k = 0; k < SAMPLES; k++)
			bench_samples(r)[k].infer = (uint64_t)(ms * 1e6 + 0.5);
		again[i] = b->run[b->runs++] = r;
	}
	plan.wanted_n = second.wanted_n;
	bench_gate_judge(&o->gate, b);
	result->status = second.status;
}

/* Compares a model with itself, with ms of infer on both sides, and then checks
 * this comparison.  Returns the status of the self-check. */
static int
check(const struct bench_gate *g, double ms, bool emulated)
{
	struct npu_bench_options o = { .gate = *g, .idle_ns = 2000 };
	struct rounds_result result = { 0 };
	int status;

	forget();
	pairs(3, ms, ms, SAMPLES);
	for (unsigned i = 0; i < bench.runs; i++)
		made[i]->library.emulator = emulated || i > 0;
	bench_gate_judge(g, &bench);
	said_begin();
	status = self_check(&bench, &o, NULL, &result);
	said_end();
	return status;
}

static bool
says(const char *wanted)
{
	if (strcmp(said, wanted) == 0)
		return true;
	diag("%s", said);
	return false;
}

/* ---- The second comparison ---------------------------------------------- */

static void
found(void)
{
	struct bench_gate g = gate(NULL);

	second = (struct second){ 0 };
	bench_gate_parse_metrics(&g, "infer:p50");
	ok(check(&g, 10, true) == EXIT_DONE && says("self_check: "
	    "--self-check: with itself a pass, and 8 % longer a regression\n"),
	    "a slowdown that the gate finds gives exit status 0");
	/* 1.6 times 5 %. */
	ok(second.calls == 1 && near(second.ms[0], 10) &&
	    near(second.ms[1], 10.8), "A takes as long as before, and B takes "
	    "8 %% longer: %g, %g ms", second.ms[0], second.ms[1]);
	ok(!second.idle, "the idle machine is not measured again");
	ok(bench.verdicts.verdict == BENCH_PASS && bench.runs == 6,
	    "the report keeps the first comparison");
	bench_gate_parse_regress(&g, "900%");
	ok(check(&g, 10, true) == EXIT_DONE && near(second.ms[1], 154) &&
	    says("self_check: --self-check: with itself a pass, and 1.44e+03 %"
	    " longer a regression\n"),
	    "with another --max-regress, the slowdown is larger");
}

/* Tests that the slowdown is also more than --min-delta. */
static void
least(void)
{
	struct bench_gate g = gate(NULL);

	second = (struct second){ 0 };
	bench_gate_parse_metrics(&g, "infer:p50");
	bench_gate_parse_min_delta(&g, "2ms");
	/* 4 times --min-delta is 8 ms, which is 8 % of 100 ms. */
	check(&g, 10, true);
	ok(near(second.ms[0], 100) && near(second.ms[1], 108), "inferences are "
	    "so long that 8 %% are 4 times --min-delta: %g, %g ms",
	    second.ms[0], second.ms[1]);
	ok(check(&g, 200, true) == EXIT_DONE && near(second.ms[0], 200),
	    "inferences that are long enough keep their duration");
}

/* Tests that each process of each configuration takes as long as before. */
static void
several(void)
{
	struct bench_gate g = gate(NULL);
	struct bench_run *r;

	begin();
	for (unsigned i = 0; i < 12; i++) {
		r = add("AB"[i % 2], i / 6, 10 * (1 + i / 2 % 3), SAMPLES);
		r->config = i / 2 % 3 == 2;
		r->process = i / 2 % 3 == 1;
	}
	r = made[2];
	ok(near(slowdown_infer_ms(&bench, &g, r), 20) && r->process == 1,
	    "the second process takes as long as before");
	r = made[5];
	ok(near(slowdown_infer_ms(&bench, &g, r), 30 * 1.08) &&
	    r->config == 1,
	    "side B of the second configuration takes 8 %% longer");
}

static void
not_found(void)
{
	struct bench_gate g = gate(NULL);

	second = (struct second){ 0 };
	/* The stage put does not contain the time of an inference. */
	bench_gate_parse_metrics(&g, "put:p50");
	ok(check(&g, 10, true) == EXIT_VERDICT && says("self_check: "
	    "--self-check: inferences that take 8 % longer are passed\n"),
	    "a gate that does not notice the slowdown gives exit status 4");
	second.wanted_n = SAMPLES + 1;
	ok(check(&g, 10, true) == EXIT_NOVERDICT && says("self_check: "
	    "--self-check: inferences that take 8 % longer are "
	    "inconclusive\n"),
	    "an inconclusive second comparison gives exit status 5");
	bench_gate_parse_unsure(&g, "pass");
	ok(check(&g, 10, true) == EXIT_DONE, "with --on-unsure=pass, an "
	    "inconclusive comparison gives exit status 0");
	bench_gate_parse_unsure(&g, "fail");
	ok(check(&g, 10, true) == EXIT_VERDICT, "with --on-unsure=fail, an "
	    "inconclusive comparison gives exit status 4");
	second.status = EXIT_FAILED;
	ok(check(&g, 10, true) == EXIT_FAILED && says(""),
	    "a failed run of the second comparison decides the exit status");
}

/* ---- No second comparison ----------------------------------------------- */

static void
ends_early(void)
{
	struct bench_gate g = gate(NULL);

	second = (struct second){ 0 };
	bench_gate_parse_metrics(&g, "infer:p50");
	ok(check(&g, 10, false) == EXIT_DONE && second.calls == 0 &&
	    says("self_check: --self-check: compared only with itself, as an "
	    "NPU cannot be slowed down\n"),
	    "if one run used an NPU, there is no second comparison");
	/* Runs of 0 ms: nothing can be compared. */
	ok(check(&g, 0, true) == EXIT_NOVERDICT && second.calls == 0 &&
	    says(""), "an inconclusive first comparison gives exit status 5 "
	    "without a second");
	bench_gate_parse_unsure(&g, "pass");
	ok(check(&g, 0, true) == EXIT_DONE && second.calls == 0 && says(""),
	    "with --on-unsure=pass, it gives exit status 0 without a second");
}

int
main(void)
{
	found();
	least();
	several();
	not_found();
	ends_early();
	forget();
	begin();
	return done();
}
