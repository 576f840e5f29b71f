// SPDX-License-Identifier: Apache-2.0
/* Tests the gate on made-up runs and documents. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "made_runs.h"

/* A usage error would print this name; here, none occurs. */
const struct program program = { .name = "gate" };

#define OTHER_SHA "fedcba9876543210fedcba9876543210" \
	"fedcba9876543210fedcba9876543210"
#define T2 2.919985580		/* t for one side, 95 %, 2 degrees of freedom */

static bool
near(double a, double b)
{
	return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

/* ---- A against B ------------------------------------------------------ */

static void
slower(void)
{
	struct bench_gate g = gate(NULL);

	pairs(3, 9, 10.8, SAMPLES);
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_REGRESSION && bench.verdicts.n == 4
	    && bench.verdicts.runs == 3,
	    "a difference of 20 %% is a regression");
	ok(line_is("infer p50", "infer p50 +20.0% (>= +20.0%, limit +5%) "
	    "regression"),
	    "the line of infer p50 shows change, bound, limit and verdict");
	/* An inference took 10 ms and takes 11.8 ms: 100 per second became
	 * 84.7. */
	ok(line_is("throughput", "throughput -15.3% (<= -15.3%, limit -4.76%) "
	    "regression"), "for throughput, less is worse");
	ok(near(metric("infer p99 ucb")->before, 9) &&
	    near(metric("infer p99 ucb")->after, 10.8) &&
	    near(metric("e2e p50")->after, 11.8) &&
	    near(metric("throughput")->before, 100),
	    "before and after are the medians of the runs");
	ok(bench_gate_status(&g, &bench) == EXIT_VERDICT &&
	    !bench_gate_wants_more(&g, &bench, 3),
	    "a regression has exit status 4 and needs no more runs");
}

static void
passes(void)
{
	struct bench_gate g = gate(NULL);

	pairs(3, 9, 9, SAMPLES);
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_PASS &&
	    bench_gate_status(&g, &bench) == EXIT_DONE &&
	    !bench_gate_wants_more(&g, &bench, 3),
	    "equal runs pass, and no more runs are needed");
	ok(bench_gate_wants_more(&g, &bench, 5),
	    "more runs are needed if there are fewer than -R");
	ok(line_is("e2e p50", "e2e p50 +0.0% (<= +0.0%, limit +5%) pass"),
	    "the line of e2e p50 shows a pass");
	pairs(3, 9, 8.9999, SAMPLES);
	bench_gate_judge(&g, &bench);
	ok(line_is("e2e p50", "e2e p50 +0.0% (<= +0.0%, limit +5%) pass"),
	    "a small negative change is printed as +0.0%%");
	pairs(3, 9, 8, SAMPLES);
	ok(text_is(""), "before the verdict, nothing is printed");
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_PASS &&
	    text_is("A against B, 3 runs\n"
	    "infer p50 -11.1% (<= -11.1%, limit +5%) pass\n"
	    "e2e p50 -10.0% (<= -10.0%, limit +5%) pass\n"
	    "infer p99 ucb -11.1% (<= -11.1%, limit +5%) pass\n"
	    "throughput +11.1% (>= +11.1%, limit -4.76%) pass\n"
	    "verdict: pass\n"), "faster runs pass");
}

/* Tests runs whose changes have the logarithms 0.00, 0.04 and 0.08, with a
 * standard deviation of 0.04. */
static void
bounds(void)
{
	struct bench_gate g = gate(NULL);
	double error = 0.04 / sqrt(3), half;

	begin();
	for (unsigned i = 0; i < 3; i++) {
		add('A', i, 1000, 20);
		add('B', i, 1000 * exp(0.04 * i), 20);
	}
	bench_gate_parse_metrics(&g, "infer:p50");
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.n == 1 && bench.verdicts.verdict == BENCH_UNSURE &&
	    fabs(metric("infer p50")->bound - expm1(0.04 + T2 * error)) < 1e-7
	    && fabs(metric("infer p50")->change - expm1(0.04)) < 1e-7,
	    "one metric has a bound by t at 95 %%");
	/* With two metrics: t for 2 degrees of freedom at 0.975, in closed
	 * form. */
	bench_gate_parse_metrics(&g, "infer:p50,infer:p90,infer:mean");
	bench_gate_judge(&g, &bench);
	half = 0.95 / sqrt(2 * 0.975 * 0.025) * error;
	ok(bench.verdicts.n == 3 && fabs(metric("infer mean")->bound -
	    expm1(0.04 + half)) < 1e-7, "two metrics have a bound by t at 97.5 "
	    "%%; a metric left out does not count");
	ok(line_is("infer p90", "infer p90 left out: a run has 20 samples, "
	    "64 are needed"), "a metric left out is printed with the reason");
	ok(bench_gate_wants_more(&g, &bench, 3),
	    "an inconclusive comparison needs more runs");
	g.max_runs = 3;
	ok(!bench_gate_wants_more(&g, &bench, 3),
	    "no more runs are needed at the maximum number of runs");
	ok(bench_gate_status(&g, &bench) == EXIT_NOVERDICT,
	    "an inconclusive comparison has exit status 5");
	bench_gate_parse_unsure(&g, "pass");
	ok(bench_gate_status(&g, &bench) == EXIT_DONE,
	    "with --on-unsure=pass, the exit status is 0");
	bench_gate_parse_unsure(&g, "fail");
	ok(bench_gate_status(&g, &bench) == EXIT_VERDICT,
	    "with --on-unsure=fail, the exit status is 4");
}

static void
floors(void)
{
	struct bench_gate g = gate(NULL);

	/* 0.08 ms more is 40 %. */
	pairs(3, 0.2, 0.28, SAMPLES);
	bench_gate_parse_metrics(&g, "infer:p50");
	bench_gate_judge(&g, &bench);
	ok(line_is("infer p50", "infer p50 +40.0% (<= +40.0%, limit +5%) pass: "
	    "less than --min-delta"), "a difference of less than --min-delta "
	    "passes; the default is 0.1 ms");
	bench_gate_parse_min_delta(&g, "50us");
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_REGRESSION,
	    "the difference is a regression with a smaller --min-delta");
	bench_gate_parse_regress(&g, "50%");
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_PASS &&
	    near(metric("infer p50")->limit, 0.5),
	    "the difference passes with a larger --max-regress");
	/* 2000 per second became 1666.  In ms, the difference is less than
	 * --min-delta. */
	pairs(3, 0, 0.2, SAMPLES);
	g = gate(NULL);
	g.min_delta_ms = 1e6;
	bench_gate_parse_metrics(&g, "throughput");
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_REGRESSION,
	    "--min-delta does not apply to throughput");
}

static void
few(void)
{
	struct bench_gate g = gate(NULL);

	pairs(2, 9, 9, SAMPLES);
	bench_gate_judge(&g, &bench);
	ok(line_is("infer p50", "infer p50 inconclusive: 2 runs, 3 are needed")
	    && bench_gate_wants_more(&g, &bench, 2),
	    "two pairs of runs are inconclusive, and more runs are needed");
	pairs(4, 9, 9, SAMPLES);
	made[5]->rc = NPU_EDEVICE;
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_PASS,
	    "a run that failed is left out with the other run of its pair");
	made[3]->rc = NPU_EDEVICE;
	bench_gate_judge(&g, &bench);
	ok(line_is("throughput", "throughput inconclusive: 2 runs, 3 are "
	    "needed"),
	    "the comparison is inconclusive if fewer than 3 pairs are left");
	pairs(3, 9, 9, 5);
	bench_gate_parse_metrics(&g, "infer:p99_ucb");
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_UNSURE &&
	    strcmp(bench.verdicts.why, "no metric could be compared") == 0,
	    "the comparison is inconclusive if every metric is left out");
	pairs(3, 9, 9, 0);
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_UNSURE,
	    "the comparison is inconclusive without any sample");
	pairs(3, 9, 9, SAMPLES);
	for (unsigned i = 0; i < bench.runs; i++)
		if (bench.run[i]->side == 'B')
			bench.run[i]->rc = 1;
	bench_gate_judge(&g, &bench);
	ok(strcmp(bench.verdicts.why, "no run of B succeeded") == 0 &&
	    !bench_gate_wants_more(&g, &bench, 5),
	    "if every run of B failed, no more runs are made");
	pairs(3, 9, 9, SAMPLES);
	plan.wanted_n = SAMPLES + 1;
	bench_gate_parse_metrics(&g, "infer:p50");
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_UNSURE && strcmp(bench.verdicts.why,
	    "run 1 was cut short: 700 samples of 701") == 0 &&
	    !bench_gate_wants_more(&g, &bench, 3),
	    "a run that was cut short makes the comparison inconclusive");
}

static void
processes(void)
{
	struct bench_gate g = gate(NULL);

	pairs(3, 10, 10, SAMPLES);
	for (unsigned i = 0; i < 6; i++)
		add(i < 3 ? 'A' : 'B', i % 3, i < 3 ? 20 : 26,
		    SAMPLES)->process = 1;
	bench_gate_parse_metrics(&g, "infer:p50,throughput");
	bench_gate_judge(&g, &bench);
	/* (10 + 20) / 2 and (10 + 26) / 2; 1000/11 + 1000/21 and 1000/11 +
	 * 1000/27 */
	ok(bench.verdicts.n == 2 && near(metric("infer p50")->before, 15) &&
	    near(metric("infer p50")->after, 18) &&
	    near(metric("throughput")->before, 1000 / 11.0 + 1000 / 21.0) &&
	    near(metric("throughput")->after, 1000 / 11.0 + 1000 / 27.0),
	    "processes of one run count as one: mean duration, sum of "
	    "throughput");
	made[11]->rc = 1;
	bench_gate_judge(&g, &bench);
	ok(line_is("infer p50", "infer p50 inconclusive: 2 runs, 3 are needed"),
	    "a run of which one process failed does not count");
}

/* ---- A baseline ------------------------------------------------------- */

static void
baseline(void)
{
	struct bench_gate g = gate("base.json");

	store(&g, NULL, NULL);
	fresh(10.2, 1);
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_PASS && bench.verdicts.stored == 3
	    && strcmp(bench.verdicts.against, "base.json") == 0 &&
	    line_is("infer p50", "infer p50 +2.0% (<= +2.0%, limit +5%) "
	    "pass"), "an increase of 2 %% over the baseline passes");
	ok(line_is("e2e p50", "e2e p50 left out: a run to compare with does "
	    "not have it"),
	    "a metric that the baseline does not have is left out");
	fresh(20.4, 2);
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_PASS &&
	    near(metric("infer p50")->before, 20),
	    "a run with two in flight is compared with two in flight");
	fresh(22, 2);
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_REGRESSION,
	    "an increase of 10 %% over the baseline is a regression");
	baseline_free(&g.stored);
}

/* Tests a document of which only the first runs are used. */
static void
fewer_stored(void)
{
	struct bench_gate g = gate("base.json");

	store(&g, NULL, NULL);
	g.stored.n = 4;
	fresh(10, 1);
	bench_gate_judge(&g, &bench);
	ok(line_is("infer p50", "infer p50 inconclusive: 2 runs, 3 are needed")
	    && !bench_gate_wants_more(&g, &bench, 3),
	    "with two runs in the baseline, more new runs do not help");
	g.stored.n = 0;
	bench_gate_judge(&g, &bench);
	ok(strcmp(bench.verdicts.why, "no run of the baseline succeeded") == 0
	    && !bench_gate_wants_more(&g, &bench, 5),
	    "with no run in the baseline, nothing is compared");
	baseline_free(&g.stored);
}

static const struct {
	const char *edit, *by, *why;
} differing[] = {
	{ "\"O6\"", "\"O7\"", "board was O7, is O6" },
	{ "\"O6\"", "null", "board was unknown, is O6" },
	{ "\"A720\"", "\"A520\"", "processor was A520, is A720" },
	{ "5.11.0", "5.10.0", "driver was 5.10.0, is 5.11.0" },
	{ "0.6.0", "0.7.0", "library was 0.7.0, is 0.6.0" },
	{ "\"performance\"", "\"ondemand\"   ", "governor was ondemand, is "
	    "performance" },
	{ "false", "true ", "emulator was yes, is no" },
	{ SHA, OTHER_SHA, "m.cix: SHA-256 was fedcba987654..., is "
	    "0123456789ab..." },
	{ "single-stream\",", "offline\"      ,", "m.cix: scenario was "
	    "offline, is single-stream" },
	{ "\"inflight\":1", "\"inflight\":4", "m.cix: in flight was 4, is 1" },
	{ "\"throughput\":null", "\"per_query\":8    ", "m.cix: samples of a "
	    "query was 8, is none" },
	{ "\"throughput\":null", "\"rate\":12.5      ", "m.cix: rate was 12.5, "
	    "is none" },
	{ "\"run\":1", "\"run\":0", "m.cix: processes was 2, is 1" },
};

static void
fingerprints(void)
{
	for (size_t i = 0; i < sizeof(differing) / sizeof(*differing); i++) {
		struct bench_gate g = gate("base.json");

		bench_gate_parse_metrics(&g, "infer:p50");
		store(&g, differing[i].edit, differing[i].by);
		fresh(10, 1);
		bench_gate_judge(&g, &bench);
		if (!ok(strcmp(bench.verdicts.why, differing[i].why) == 0 &&
		    bench.verdicts.verdict == BENCH_UNSURE &&
		    bench.verdicts.n == 0 &&
		    bench_gate_status(&g, &bench) == EXIT_NOVERDICT &&
		    !bench_gate_wants_more(&g, &bench, 5),
		    "runs are not compared: %s",
		    differing[i].why))
			diag("%s", bench.verdicts.why);
		if (i == 0)
			ok(text_is("base.json, 3 runs against 3\n"
			    "nothing was compared: board was O7, is O6\n"
			    "verdict: inconclusive\n"), "the report shows what "
			    "is different and an inconclusive verdict");
		g.force = true;
		bench_gate_judge(&g, &bench);
		ok(bench.verdicts.n == 1 && strcmp(bench.verdicts.why,
		    differing[i].why) == 0, "with force, runs are compared and "
		    "the difference is reported");
		baseline_free(&g.stored);
	}
}

/* Tests that of several differences, each is reported once. */
static void
all_differ(void)
{
	struct bench_gate g = gate("base.json");

	bench_gate_parse_metrics(&g, "throughput");
	store(&g, "5.11.0", "5.10.0");
	fresh(10, 1);
	for (unsigned i = 0; i < 3; i++)
		add(0, i, 10, SAMPLES)->config = 1;
	strcpy(bench.machine.governor, "power\nsave");
	bench_gate_judge(&g, &bench);
	ok(strcmp(bench.verdicts.why, "driver was 5.10.0, is 5.11.0; governor "
	    "was performance, is power\nsave") == 0,
	    "each difference is reported once");
	g.force = true;
	bench_gate_judge(&g, &bench);
	ok(text_is("base.json, 3 runs against 3\n"
	    "no metric could be compared\n"
	    "m.cix, 1 in flight: throughput left out: a run to compare with "
	    "does not have it\n"
	    "m.cix, 1 in flight: throughput left out: a run to compare with "
	    "does not have it\n"
	    "verdict: inconclusive\n"),
	    "a model that was run in two configurations is compared in each");
	baseline_free(&g.stored);
}

int
main(void)
{
	slower();
	passes();
	bounds();
	floors();
	few();
	processes();
	baseline();
	fewer_stored();
	fingerprints();
	all_differ();
	begin();
	return done();
}
