// SPDX-License-Identifier: Apache-2.0
/* The gate, on runs that are not alike, or too many or too few. */
#include "made_runs.h"

const struct program program = { .name = "gate_unlike" };

/* Runs with nothing, or too little, to compare. */
static void
unlike(void)
{
	struct bench_gate g = gate(NULL);

	begin();
	bench_gate_judge(&g, &bench);
	ok(why_is("no run of A succeeded") &&
	    bench_gate_wants_more(&g, &bench, 3), "no run at all, so far");
	pairs(3, 9, 9, SAMPLES);
	for (unsigned i = 0; i < 6; i++)
		made[i]->rc = made[i]->side == 'A';
	bench_gate_judge(&g, &bench);
	ok(why_is("no run of A succeeded"), "no A");
	pairs(3, 9, 9, SAMPLES);
	strcpy(add('A', 0, 9, SAMPLES)->model.path, "n.cix");
	bench_gate_judge(&g, &bench);
	ok(why_is("A and B have different numbers of models"),
	    "a model that B has not");
	begin();
	for (unsigned i = 0; i < 3; i++)
		add('A', i + 3, 9, SAMPLES), add('B', i, 9, SAMPLES);
	bench_gate_parse_metrics(&g, "infer:p50");
	bench_gate_judge(&g, &bench);
	ok(line_is("infer p50", "infer p50 inconclusive: 0 runs, 3 are needed"),
	    "no run of A is of a pair");
	pairs(3, 0, 0.2, SAMPLES);
	bench_gate_judge(&g, &bench);
	ok(line_is("infer p50", "infer p50 inconclusive: a run measured 0"),
	    "what takes no time has no change");
}

/* As many verdicts as there can be. */
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
	    bench.verdicts.gated[BENCH_GATED - 1].config == 255, "1024");
}

/* The settings of other kinds of loads are compared, too. */
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
	    "m.cix: samples of a query was none, is 8"), "queries");
	for (unsigned i = 0; i < 3; i++) {
		made[i]->load.scenario = SERVER;
		made[i]->load.rate = 12.5;
	}
	bench_gate_judge(&g, &bench);
	ok(why_is("m.cix: scenario was single-stream, is server; "
	    "m.cix: rate was none, is 12.5"), "a rate");
	fresh(10, 1);
	made[0]->window.ns = 0;
	bench_gate_judge(&g, &bench);
	ok(line_is("throughput", "throughput left out: a run does not have "
	    "it"), "a run that has no throughput");
	for (unsigned i = 0; i < 3; i++)
		made[i]->rc = 1;
	bench_gate_judge(&g, &bench);
	ok(why_is("no run of these succeeded"), "none of these");
	baseline_free(&g.stored);
}

/* Two in flight, of which the document knows nothing, beside one in flight. */
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
	    !bench_gate_wants_more(&g, &bench, 3), "what is alike passes");
	for (unsigned i = 0; i < 3; i++)
		made[i]->load.inflight = 2, made[i + 3]->load.inflight = 1;
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.verdict == BENCH_REGRESSION &&
	    bench.verdicts.n == 2 && metric("comparison")->config == 0,
	    "a regression of what is alike");
	g.force = true;
	bench_gate_judge(&g, &bench);
	ok(metric("comparison") == NULL && bench.verdicts.n == 2 &&
	    why_is("m.cix: in flight was 1, is 2"), "compared by force");
	g.force = false;
	for (unsigned i = 0; i < 3; i++)
		made[i + 3]->load.inflight = 2;
	bench_gate_judge(&g, &bench);
	ok(bench.verdicts.n == 0 && why_is("m.cix: in flight was 1, is 2"),
	    "nothing alike");
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
