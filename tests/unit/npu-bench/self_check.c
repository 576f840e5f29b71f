// SPDX-License-Identifier: Apache-2.0
/*
 * --self-check, on made-up runs: how long the inferences of its second
 * comparison are to take, and what it says of the verdicts.
 */
#include <math.h>

#include "made_runs.h"
#include "npu-bench/self_check.h"
#include "npu-bench/slowdown.h"
#include "stderr_text.h"

const struct program program = { .name = "self_check" };

/* How the runs of the second comparison turn out, and what they were told. */
static struct second {
	int status;		/* of the runs; not 0: one failed */
	uint64_t wanted_n;	/* samples; more than SAMPLES: cut short */
	unsigned calls;
	double ms[2];		/* of an inference of A, of B */
	bool idle;		/* the idle machine is measured again */
} second;

static bool
near(double a, double b)
{
	return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

static struct bench_run *again[6];	/* its runs */

static void
forget(void)
{
	for (unsigned i = 0; i < 6; i++) {
		free(again[i]);
		again[i] = NULL;
	}
}

/* In place of rounds.c's: three pairs of runs that take what they are to. */
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

		bench.runs = first;	/* it is not of the first comparison */
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

/* Compares models with themselves, infer so many ms on either side, and then
 * checks that; its status. */
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
	    "a slowdown that is found is right");
	/* 1.6 times 5 %. */
	ok(second.calls == 1 && near(second.ms[0], 10) &&
	    near(second.ms[1], 10.8), "A takes as long as before, B 8 %% "
	    "longer: %g, %g ms", second.ms[0], second.ms[1]);
	ok(!second.idle, "the idle machine is not measured again");
	ok(bench.verdicts.verdict == BENCH_PASS && bench.runs == 6,
	    "the report keeps the first comparison");
	bench_gate_parse_regress(&g, "900%");
	ok(check(&g, 10, true) == EXIT_DONE && near(second.ms[1], 154) &&
	    says("self_check: --self-check: with itself a pass, and 1.44e+03 %"
	    " longer a regression\n"), "another limit");
}

/* The difference must be more than --min-delta, too. */
static void
least(void)
{
	struct bench_gate g = gate(NULL);

	second = (struct second){ 0 };
	bench_gate_parse_metrics(&g, "infer:p50");
	bench_gate_parse_min_delta(&g, "2ms");
	/* 4 * 2 / 0.08 ms. */
	check(&g, 10, true);
	ok(near(second.ms[0], 100) && near(second.ms[1], 108), "8 %% of it are "
	    "4 times --min-delta: %g, %g ms", second.ms[0], second.ms[1]);
	ok(check(&g, 200, true) == EXIT_DONE && near(second.ms[0], 200),
	    "which longer inferences are anyway");
}

/* Each process of each configuration takes as long as it did itself. */
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
	    "the second process, as it did");
	r = made[5];
	ok(near(slowdown_infer_ms(&bench, &g, r), 30 * 1.08) &&
	    r->config == 1, "side B of the second configuration, 8 %% more");
}

static void
not_found(void)
{
	struct bench_gate g = gate(NULL);

	second = (struct second){ 0 };
	/* The time of an inference is no part of put. */
	bench_gate_parse_metrics(&g, "put:p50");
	ok(check(&g, 10, true) == EXIT_VERDICT && says("self_check: "
	    "--self-check: inferences that take 8 % longer are passed\n"),
	    "a gate that does not see the slowdown is wrong");
	second.wanted_n = SAMPLES + 1;
	ok(check(&g, 10, true) == EXIT_NOVERDICT && says("self_check: "
	    "--self-check: inferences that take 8 % longer are "
	    "inconclusive\n"), "no verdict on it");
	bench_gate_parse_unsure(&g, "pass");
	ok(check(&g, 10, true) == EXIT_DONE, "--on-unsure=pass: 0");
	bench_gate_parse_unsure(&g, "fail");
	ok(check(&g, 10, true) == EXIT_VERDICT, "--on-unsure=fail: 4");
	second.status = EXIT_FAILED;
	ok(check(&g, 10, true) == EXIT_FAILED && says(""),
	    "a run that fails decides");
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
	    "NPU cannot be slowed down\n"), "one run on an NPU");
	/* Nothing of them is compared. */
	ok(check(&g, 0, true) == EXIT_NOVERDICT && second.calls == 0 &&
	    says(""), "no verdict on equal sides");
	bench_gate_parse_unsure(&g, "pass");
	ok(check(&g, 0, true) == EXIT_DONE && second.calls == 0 && says(""),
	    "with --on-unsure=pass");
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
