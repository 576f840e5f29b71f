// SPDX-License-Identifier: Apache-2.0
/* Tests the gate on runs that differ in kind, and on too many or too few
 * runs. */
#include "made_runs.h"

const struct program program = { .name = "gate_unlike" };

/* Tests runs with nothing, or too little, to compare. */
static void
unlike(void)
{
	struct bench_gate g = gate(NULL);

	begin();
	bench_gate_judge(&g, &bench);
	ok(why_is("no run of A succeeded") &&
	    bench_gate_wants_more(&g, &bench, 3),
	    "before the first run, nothing is compared and runs are needed");
	pairs(3, 9, 9, SAMPLES);
	for (unsigned i = 0; i < 6; i++)
		made[i]->rc = made[i]->side == 'A';
	bench_gate_judge(&g, &bench);
	ok(why_is("no run of A succeeded"),
	    "if every run of A failed, nothing is compared");
	pairs(3, 9, 9, SAMPLES);
	strcpy(add('A', 0, 9, SAMPLES)->model.path, "n.cix");
	bench_gate_judge(&g, &bench);
	ok(why_is("A and B have different numbers of models"),
	    "a model that B does not have makes the comparison inconclusive");
	begin();
	for (unsigned i = 0; i < 3; i++)
		add('A', i + 3, 9, SAMPLES), add('B', i, 9, SAMPLES);
	bench_gate_parse_metrics(&g, "infer:p50");
	bench_gate_judge(&g, &bench);
	ok(line_is("infer p50", "infer p50 inconclusive: 0 runs, 3 are needed"),
	    "runs of A and B with different numbers are not pairs");
	pairs(3, 0, 0.2, SAMPLES);
	bench_gate_judge(&g, &bench);
	ok(line_is("infer p50", "infer p50 inconclusive: a run measured 0"),
	    "a duration of 0 is inconclusive, as it has no relative change");
}

/* Tests the maximum number of verdicts. */
static void
most(void)
{
	struct bench_gate g = gate(NULL);

	begin();
	for (unsigned i = 0; i < 257; i++) {
		add('A', 0, 9, 1)->config = i;
		add('B', 0, 9, 1)->config = i;
	}
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.n == BENCH_GATED &&
	    bench.verdicts.gated[BENCH_GATED - 1].config == 255,
	    "at most 1024 metrics have a verdict");
}

/* Tests that settings of other scenarios are compared as well. */
static void
other_runs(void)
{
	struct bench_gate g = gate("base.json");

	bench_gate_parse_metrics(&g, "throughput");
	store(&g, "\"throughput\":null", "\"throughput\":9   ");
	fresh(10, 1);
	for (unsigned i = 0; i < 3; i++)
		made[i]->load.scenario = MULTI_STREAM;
	bench_gate_judge(&g, &bench);
	ok(why_is("m.cix: scenario was single-stream, is multi-stream; "
	    "m.cix: samples of a query was none, is 8"),
	    "the number of samples per query is compared");
	for (unsigned i = 0; i < 3; i++) {
		made[i]->load.scenario = SERVER;
		made[i]->load.rate = 12.5;
	}
	bench_gate_judge(&g, &bench);
	ok(why_is("m.cix: scenario was single-stream, is server; "
	    "m.cix: rate was none, is 12.5"),
	    "the rate of a server is compared");
	fresh(10, 1);
	made[0]->window.ns = 0;
	bench_gate_judge(&g, &bench);
	ok(line_is("throughput", "throughput left out: a run does not have "
	    "it"), "throughput is left out if a run does not have it");
	for (unsigned i = 0; i < 3; i++)
		made[i]->rc = 1;
	bench_gate_judge(&g, &bench);
	ok(why_is("no run of these succeeded"),
	    "if every new run failed, nothing is compared");
	baseline_free(&g.stored);
}

/* Tests runs with one and with two in flight.  The document has no runs with
 * two in flight. */
static void
some_unlike(void)
{
	struct bench_gate g = gate("base.json");

	store(&g, "\"inflight\":2", "\"inflight\":3");
	bench_gate_parse_metrics(&g, "infer:p50");
	fresh(10, 1);
	for (unsigned i = 0; i < 3; i++) {
		struct bench_run *r = add(0, i, 20, SAMPLES);

		r->config = 1;
		r->load.inflight = 2;
	}
	bench_gate_judge(&g, &bench);
	ok(text_is("base.json, 3 runs against 3\n"
	    "m.cix, 1 in flight: infer p50 +0.0% (<= +0.0%, limit +5%) pass\n"
	    "m.cix, 2 in flight: comparison inconclusive: in flight was 1, "
	    "is 2\nverdict: inconclusive\n") &&
	    !bench_gate_wants_more(&g, &bench, 3),
	    "runs with one in flight pass, and runs with two are inconclusive");
	for (unsigned i = 0; i < 3; i++)
		made[i]->load.inflight = 2, made[i + 3]->load.inflight = 1;
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_REGRESSION &&
	    bench.verdicts.n == 2 && metric("comparison")->config == 0,
	    "a regression with one in flight decides the verdict");
	g.force = true;
	bench_gate_judge(&g, &bench);
	ok(metric("comparison") == NULL && bench.verdicts.n == 2 &&
	    why_is("m.cix: in flight was 1, is 2"),
	    "with force, runs with different numbers in flight are compared");
	g.force = false;
	for (unsigned i = 0; i < 3; i++)
		made[i + 3]->load.inflight = 2;
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.n == 0 && why_is("m.cix: in flight was 1, is 2"),
	    "if all runs have another number in flight, no metric is compared");
	baseline_free(&g.stored);
}

int
main(void)
{
	unlike();
	most();
	other_runs();
	some_unlike();
	begin();
	return done();
}
