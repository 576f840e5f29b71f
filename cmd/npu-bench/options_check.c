// SPDX-License-Identifier: Apache-2.0
/* Resolves options that depend on one another, and refuses those that exclude
 * each other. */
#include <math.h>
#include <string.h>

#include "options.h"

#define SECOND UINT64_C(1000000000)

enum { GATE_RUNS = 5 };		/* npu-bench(1), --runs */

const char *const preset_names[] = { "quick", "default", "tail", "mlperf",
    NULL };

enum { DEFAULT = 1 };
static const struct {
	uint64_t least_ns, least_n;
} presets[] = {
	{ 3 * SECOND, 130 },
	{ 10 * SECOND, 662 },
	{ 0, 6636 },
	{ 600 * SECOND, 1 },
};

/* Resolves the amount.  If --min-iter or --min-time is not given, the value of
 * --preset counts.  Without --preset, no value counts if the other of the two
 * is given, else the default preset's. */
static void
resolve_amount(struct bench_plan *p, const struct raw_options *raw)
{
	const uint64_t most_ns = 600 * SECOND, most_n = 1000000;
	bool own = raw->least_ns >= 0 || raw->least_n >= 0;
	int preset = raw->preset >= 0 ? raw->preset : DEFAULT;

	if (!own)
		p->preset = preset_names[preset];
	if (!own || raw->preset >= 0) {
		p->least_ns = presets[preset].least_ns;
		p->least_n = presets[preset].least_n;
	} else {
		p->least_n = 1;
	}
	if (raw->least_ns >= 0)
		p->least_ns = (uint64_t)raw->least_ns;
	if (raw->least_n >= 0)
		p->least_n = (uint64_t)raw->least_n;
	p->wanted_n = p->least_n;
	p->most_ns = most_ns > 2 * p->least_ns ? most_ns : 2 * p->least_ns;
	p->most_n = most_n > p->least_n ? most_n : p->least_n;
	if (raw->most_ns >= 0)
		p->most_ns = (uint64_t)raw->most_ns;
	if (raw->most_n >= 0)
		p->most_n = (uint64_t)raw->most_n;
}

static void
resolve_server(struct npu_bench_options *o, const struct raw_options *raw)
{
	struct bench_plan *p = &o->plan;
	struct bench_side *side = &o->common;

	if ((raw->rate || p->find_rate) && side->scenario < 0)
		side->scenario = SERVER;
	if (raw->rate && p->find_rate)
		cmd_usage("give --rate or --find-rate, not both");
	if (p->find_rate && p->bound_ns == 0)
		cmd_usage("--find-rate needs --bound");
	if (p->find_rate && (o->processes > 1 || o->together))
		cmd_usage("--find-rate runs one process at a time; leave out "
		    "%s",
		    o->together ? "--together" : "--processes");
}

/* Call when the scenarios of all sides are known. */
static void
check_scenarios(const struct npu_bench_options *o,
    const struct raw_options *raw)
{
	bool is[SCENARIOS] = { false };

	for (unsigned i = 0; i < o->sweep.n; i++)
		is[o->sweep.entry[i].load.scenario] = true;
	if (is[SERVER] && !raw->rate && !o->plan.find_rate)
		cmd_usage("--scenario=server needs --rate or --find-rate");
	if (!is[SERVER] && (raw->rate || o->plan.find_rate))
		cmd_usage("%s needs --scenario=server",
		    raw->rate ? "--rate" : "--find-rate");
	if (!is[SERVER] && o->plan.bound_ns != 0)
		cmd_usage("--bound needs --scenario=server");
	if (!is[MULTI_STREAM] && raw->per_query)
		cmd_usage("--per-query needs --scenario=multi-stream");
	if (raw->tol && o->plan.ref == NULL)
		cmd_usage("--tol needs --ref");
}

static void
resolve_gate(struct npu_bench_options *o, struct raw_options *raw)
{
	struct bench_gate *g = &o->gate;
	int kinds = (raw->a != NULL) + (g->baseline != NULL) + o->self_check;

	if (kinds > 1)
		cmd_usage("only one of --ab, --baseline and --self-check");
	if (kinds == 0 && raw->needs_gate != NULL)
		cmd_usage("%s needs --baseline, --ab or --self-check",
		    raw->needs_gate);
	if (g->baseline != NULL && o->plan.find_rate)
		cmd_usage("--find-rate measures at a rate of its own, which "
		    "no --baseline has");
	if (g->force && g->baseline == NULL)
		cmd_usage("--force-compare needs --baseline");
	if (o->self_check)
		raw->a = raw->b = "";
	g->a = raw->a;
	g->b = raw->b;
	if (!raw->runs)
		o->runs = kinds == 0 ? 1 : GATE_RUNS;
	if (kinds > 0 && o->runs < 3)
		cmd_usage("--runs: %u: a verdict needs 3", o->runs);
	if (raw->max_runs && g->max_runs < o->runs)
		cmd_usage("--max-runs: %u is less than the %u of --runs",
		    g->max_runs, o->runs);
	if (g->max_runs < o->runs)
		g->max_runs = o->runs;
}

/* Two models have different numbers of operations. */
static void
check_operations(const struct npu_bench_options *o,
    const struct raw_options *raw)
{
	const char *option = o->onnx != NULL ? "--onnx" : "--ops";

	if (o->plan.ops > 0 && o->onnx != NULL)
		cmd_usage("give --ops or --onnx, not both");
	if (o->plan.ops == 0 && o->onnx == NULL) {
		if (raw->peak)
			cmd_usage("--peak needs --ops or --onnx");
		return;
	}
	for (unsigned i = 1; i < o->sweep.n; i++)
		if (strcmp(o->sweep.entry[i].load.model,
		    o->sweep.entry[0].load.model) != 0)
			cmd_usage("%s needs a single model; '%s' is another",
			    option, o->sweep.entry[i].load.model);
}

static char demo[] = "clip_txt.cix";	/* the model of --null-device, if
					   none is named */

static void
resolve_null(struct npu_bench_options *o)
{
	for (unsigned i = 0; i < o->common.options; i++) {
		int opt = o->common.option[i].opt;

		if (opt == 'd' || opt == 'L')
			cmd_usage("--null-device uses the emulator; "
			    "leave -%c out", opt);
	}
	if (o->common.models == 0)
		o->common.model[o->common.models++] = demo;
}

/* Returns the number of workers that are released together. */
static void
check_processes(const struct npu_bench_options *o)
{
	unsigned n, most = 0;

	for (unsigned i = 0; i < o->sides; i++) {
		sweep_find(&o->sweep, 0, o->side[i].name, &n);
		most = n > most ? n : most;
	}
	if (most * o->processes > BENCH_MODELS)
		cmd_usage("--processes: %u of each of %u models are more than "
		    "%d", o->processes, most, BENCH_MODELS);
}

static void
parse_sides(struct npu_bench_options *o, const struct raw_options *raw)
{
	const struct bench_side *common = &o->common;
	bool a = side_parse(&o->side[0], 'A', raw->a, common);
	bool b = side_parse(&o->side[1], 'B', raw->b, common);

	if (a && b && common->models > 0 && common->model[0] != demo)
		cmd_usage("--ab: A and B name models of their own; what is "
		    "'%s' for?", common->model[0]);
}

static void
resolve_sides(struct npu_bench_options *o, const struct raw_options *raw)
{
	o->sides = raw->a != NULL ? 2 : 1;
	if (raw->a == NULL)
		o->side[0] = o->common;
	else
		parse_sides(o, raw);
	for (unsigned i = 0; i < o->sides; i++)
		if (o->side[i].models == 0)
			cmd_usage("no model given%s%.1s; name a .cix file",
			    o->sides > 1 ? " for " : "", &o->side[i].name);
	sweep_make(&o->sweep, o->side, o->sides, o->together);
	check_processes(o);
}

/* Refuses results that replace the baseline which judges them: the next run
 * would be judged by a regression, and pass. */
static void
check_baseline(const char *option, const char *path,
    const struct npu_bench_options *o)
{
	const char *baseline = o->gate.baseline;

	if (path != NULL && baseline != NULL && strcmp(baseline, "-") != 0 &&
	    cmd_same_output(path, baseline))
		cmd_usage("%s: '%s' is the baseline", option, path);
}

/* Checks that two outputs are not the same file. */
static void
check_files(const struct npu_bench_options *o)
{
	const struct {
		const char *option, *path;
	} f[] = {
		{ "--save", o->save }, { "--samples", o->samples },
		{ "--junit", o->junit },
	};
	enum { N = sizeof(f) / sizeof(*f) };

	check_baseline("--output", o->output, o);
	for (int i = 0; i < N; i++) {
		check_baseline(f[i].option, f[i].path, o);
		if (f[i].path == NULL)
			continue;
		if (cmd_same_output(f[i].path, o->output))
			cmd_usage("%s: '%s' is where the report goes",
			    f[i].option, f[i].path);
		for (int k = 0; k < i; k++)
			if (f[k].path != NULL &&
			    cmd_same_output(f[i].path, f[k].path))
				cmd_usage("%s: '%s' is %s's already",
				    f[i].option, f[i].path, f[k].option);
	}
}

void
options_check(struct npu_bench_options *o, struct raw_options *raw)
{
	resolve_amount(&o->plan, raw);
	resolve_server(o, raw);
	resolve_gate(o, raw);
	if (o->null)
		resolve_null(o);
	resolve_sides(o, raw);
	check_scenarios(o, raw);
	check_operations(o, raw);
	check_files(o);
}
