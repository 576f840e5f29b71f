// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "device.h"
#include "options.h"
#include "progress.h"
#include "stats/percentile.h"

static const char *const formats[] = { "text", "json", "csv", "tsv",
    NULL };

const struct opt options_table[] = {
	BETWEEN("How much:"),
	ONE_OF(OPT_PRESET, "preset", "=NAME", preset_names,
	    "quick, default, tail or mlperf"),
	TAKES(OPT_MIN_ITER, "min-iter", "=N", COMPLETE_NONE,
	    "take at least N samples (662)"),
	TAKES(OPT_MIN_TIME, "min-time", "=TIME", COMPLETE_NONE,
	    "measure for at least TIME (10s)"),
	TAKES(OPT_MAX_ITER, "max-iter", "=N", COMPLETE_NONE,
	    "take at most N samples (1000000)"),
	TAKES(OPT_MAX_TIME, "max-time", "=TIME", COMPLETE_NONE,
	    "measure for at most TIME (10min)"),
	TAKES('w', "warmup", "=N|TIME", COMPLETE_NONE,
	    "warm up before measuring (5 and 500ms); 0: do not"),
	TAKES(OPT_RUNS, "runs", "=N", COMPLETE_NONE,
	    "measure in N new processes, one after the other (1; with a "
	    "gate 5)"),
	TAKES(OPT_IDLE, "idle", "=TIME", COMPLETE_NONE,
	    "watch the idle machine first (2s); none: do not"),
	TAKES(OPT_COOLDOWN, "cooldown", "=TIME", COMPLETE_NONE,
	    "wait before each run"),
	TAKES(OPT_COOL_TO, "cool-to", "=55C", COMPLETE_NONE,
	    "wait before each run until it is this cool"),
	BETWEEN("What:"),
	CMD_DEVICE_OPTIONS,
	CMD_DIM_OPTION,
	CMD_PROVIDER_OPTIONS,
	TAKES('j', "jobs", "=LIST", COMPLETE_NONE,
	    "inferences in flight: 4, or a sweep: 1,2,4 or 1-4"),
	ONE_OF(OPT_SCENARIO, "scenario", "=NAME", bench_scenarios,
	    "single-stream, multi-stream, offline, server"),
	TAKES(OPT_PER_QUERY, "per-query", "=N", COMPLETE_NONE,
	    "samples in each query of multi-stream (8)"),
	TAKES(OPT_RATE, "rate", "=R[:even]", COMPLETE_NONE,
	    "server: R arrivals a second, at Poisson intervals; even: at "
	    "equal ones"),
	TAKES(OPT_BOUND, "bound", "=[pN:]TIME", COMPLETE_NONE,
	    "server: limit of the latency (of p99)"),
	FLAG(OPT_FIND_RATE, "find-rate",
	    "server: find the highest rate within --bound"),
	FLAG(OPT_TOGETHER, "together",
	    "measure all models at once, a process for each"),
	TAKES('P', "processes", "=N", COMPLETE_NONE,
	    "run N processes of each model at once"),
	TAKES(OPT_INPUT, "input", "=FILE", COMPLETE_FILE,
	    "read the inputs from FILE (default: random)"),
	TAKES(OPT_SEED, "seed", "=N", COMPLETE_NONE,
	    "seed of random inputs and of arrivals (1)"),
	TAKES(OPT_REF, "ref", "=FILE", COMPLETE_FILE,
	    "compare the outputs with FILE"),
	TAKES(OPT_TOL, "tol", "=TOL", COMPLETE_NONE,
	    "limits of the difference, as for npu-dequant"),
	FLAG(OPT_REUSE_JOB, "reuse-job", "reuse jobs for all inferences"),
	TAKES('T', "timeout", "=TIME", COMPLETE_NONE,
	    "limit of one inference: 500ms, 10s, none (10s)"),
	FLAG(OPT_NULL, "null-device",
	    "use the emulator with no model behind it"),
	BETWEEN("The gate:"),
	TAKES(OPT_SAVE, "save", "=FILE", COMPLETE_FILE,
	    "write the results to FILE, for --baseline"),
	TAKES(OPT_BASELINE, "baseline", "=FILE", COMPLETE_FILE,
	    "compare with the results that --save wrote"),
	TAKES(OPT_AB, "ab", " A B", COMPLETE_NONE,
	    "compare A with B: words that are options, NAME=VALUE or models"),
	FLAG(OPT_SELF_CHECK, "self-check",
	    "check that the gate works on this machine"),
	TAKES(OPT_MAX_REGRESS, "max-regress", "=P", COMPLETE_NONE,
	    "largest regression that passes (5%)"),
	TAKES(OPT_MIN_DELTA, "min-delta", "=TIME", COMPLETE_NONE,
	    "ignore differences below TIME (0.1ms)"),
	TAKES(OPT_METRICS, "metrics", "=LIST", COMPLETE_NONE,
	    "metrics to compare"),
	TAKES(OPT_MAX_RUNS, "max-runs", "=N", COMPLETE_NONE,
	    "at most N runs while the verdict is inconclusive (10)"),
	ONE_OF(OPT_ON_UNSURE, "on-unsure", "=WHAT", unsure_names,
	    "if it stays inconclusive: pass or fail (status 5)"),
	FLAG(OPT_FORCE_COMPARE, "force-compare",
	    "compare even if machine or model differ"),
	TAKES(OPT_JUNIT, "junit", "=FILE", COMPLETE_FILE,
	    "write the verdicts to FILE as JUnit XML"),
	BETWEEN("Report:"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "text, json, csv or tsv"),
	FLAG(OPT_JSON, "json", "the same as -F json"),
	FLAG(OPT_CSV, "csv", "the same as -F csv"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	TAKES(OPT_SAMPLES, "samples", "=FILE", COMPLETE_FILE,
	    "write every sample to FILE, in ns"),
	TAKES(OPT_PERCENTILES, "percentiles", "=LIST", COMPLETE_NONE,
	    "percentiles to report: 50,90,95,99,99.9"),
	TAKES(OPT_OPS, "ops", "=N", COMPLETE_NONE,
	    "operations of one inference, such as 8.82G: report GOPS"),
	TAKES(OPT_ONNX, "onnx", "=FILE", COMPLETE_FILE,
	    "count these operations in an ONNX file"),
	TAKES(OPT_PEAK, "peak", "=OPS", COMPLETE_NONE,
	    "operations a second that GOPS are compared with (28.8T)"),
	TAKES(OPT_POWER, "power", "=LIST", COMPLETE_NONE,
	    "power sensors to add up"),
	TAKES(OPT_ROOT, "root", "=DIR", COMPLETE_FOLDER,
	    "read DIR/proc and DIR/sys"),
	FLAG(OPT_STRICT, "strict", "exit with 5 after a warning"),
	PROGRESS_OPTIONS,
	FLAG('q', "quiet", "no notes, no warnings, no progress"),
	FLAG('v', "verbose", "print each step, and what the library prints"),
	CMD_COMMON,
	{ 0 },
};

/* ---- Arguments ----------------------------------------------------------- */

static int64_t
parse_ns(const char *option, const char *arg)
{
	struct npu_err err;
	int64_t ns;

	if (num_duration_ns(arg, &ns, &err) < 0)
		cmd_usage("%s: %s", option, err.msg);
	return ns;
}

/* Does the same, but refuses 0. */
static int64_t
parse_positive_ns(const char *option, const char *arg)
{
	int64_t ns = parse_ns(option, arg);

	if (ns == 0)
		cmd_usage("%s: '%s': a time above 0 is needed", option, arg);
	return ns;
}

static uint32_t
parse_percent(const char *option, const char *arg)
{
	struct npu_err err;
	uint32_t p;

	if (percent_parse(arg, &p, &err) < 0)
		cmd_usage("%s: %s", option, err.msg);
	return p;
}

/* Parses "50,90,99.9".  Each percentile may occur once, because it becomes a
 * JSON key. */
static void
parse_percentiles(struct bench_plan *p, const char *arg)
{
	char *copy = cmd_copy(arg), *rest = copy, *one;
	uint32_t percent;

	p->percentiles = 0;
	while ((one = strsep(&rest, ",")) != NULL) {
		if (p->percentiles == BENCH_PERCENTILES)
			cmd_usage("--percentiles: '%s' is more than %d", arg,
			    BENCH_PERCENTILES);
		percent = parse_percent("--percentiles", one);
		for (unsigned i = 0; i < p->percentiles; i++)
			if (p->percentile[i] == percent)
				cmd_usage("--percentiles: '%s' is there twice",
				    one);
		p->percentile[p->percentiles++] = percent;
	}
	free(copy);
}

/* Parses "20" inferences, or "2s": a time has a unit. */
static void
parse_warmup(struct bench_plan *p, const char *arg)
{
	p->warm_n = p->warm_ns = 0;
	if (arg[strspn(arg, "+-.0123456789e")] == '\0')
		p->warm_n = (uint64_t)cmd_int("--warmup", arg, 0, 1000000);
	else
		p->warm_ns = (uint64_t)parse_ns("--warmup", arg);
}

/* Parses "100", "100:poisson", "100:even". */
static void
parse_rate(struct bench_plan *p, const char *arg)
{
	static const char *const spacings[] = { "poisson", "even", NULL };
	char *copy = cmd_copy(arg), *spacing;

	spacing = strchr(copy, ':');
	if (spacing != NULL)
		*spacing++ = '\0';
	p->rate = cmd_double("--rate", copy, 1e-6, 1e6);
	p->steady = spacing != NULL && cmd_choice("--rate", spacing,
	    spacings) == 1;
	free(copy);
}

/* Parses "50ms", "p99.9:50ms". */
static void
parse_bound(struct bench_plan *p, const char *arg)
{
	char *copy = cmd_copy(arg), *time;

	time = strchr(copy, ':');
	if (time != NULL) {
		*time++ = '\0';
		if (*copy != 'p')
			cmd_usage("--bound: '%s' is not such as p99:50ms",
			    arg);
		p->bound_percentile = parse_percent("--bound", copy + 1);
		if (p->bound_percentile == 100 * PERCENT)
			cmd_usage("--bound: '%s': p100 has no upper "
			    "bound", arg);
	}
	p->bound_ns = (uint64_t)parse_positive_ns("--bound",
	    time != NULL ? time : copy);
	free(copy);
}

static double
parse_degrees(const char *arg)
{
	char *copy = cmd_copy(arg);
	size_t n;
	double d;

	n = strlen(copy);
	if (n > 0 && copy[n - 1] == 'C')
		copy[n - 1] = '\0';
	d = cmd_double("--cool-to", copy, -50, 200);
	free(copy);
	return d;
}

/* Parses a number above 0, such as 8.82G: k, M, G and T are powers of 1000. */
static double
parse_operations(const char *option, const char *arg)
{
	static const char units[] = "kMGT";
	char *copy = cmd_copy(arg);
	size_t n = strlen(copy);
	const char *unit = n > 0 ? strchr(units, copy[n - 1]) : NULL;
	double v;

	if (unit != NULL)
		copy[n - 1] = '\0';
	if (num_double(copy, 0, 1e18, &v, NULL) < 0 || v == 0)
		cmd_usage("%s: '%s' is not a number above 0, such as 8.82G",
		    option, arg);
	free(copy);
	return unit != NULL ? v * pow(1000, (double)(unit - units + 1)) : v;
}

static const char *
parse_file(const char *option, const char *arg)
{
	if (strcmp(arg, "-") == 0)
		cmd_usage("%s: stdin can be read only once, and each process "
		    "reads it", option);
	return arg;
}

/* ---- Options ------------------------------------------------------------- */

/* Reads an option for the amount of work.  Returns false for another option. */
static bool
parse_amount(struct npu_bench_options *o, struct raw_options *raw, int opt)
{
	const int64_t most = 100000000;		/* 6.4 GB of samples */

	switch (opt) {
	case OPT_MIN_ITER:
		raw->least_n = cmd_int("--min-iter", optarg, 1, most);
		break;
	case OPT_MIN_TIME: raw->least_ns = parse_ns("--min-time", optarg);
		break;
	case 'w': parse_warmup(&o->plan, optarg); break;
	case OPT_MAX_ITER:
		raw->most_n = cmd_int("--max-iter", optarg, 1, most);
		break;
	case OPT_MAX_TIME:
		raw->most_ns = parse_positive_ns("--max-time", optarg);
		break;
	case OPT_PRESET:
		raw->preset = cmd_choice("--preset", optarg, preset_names);
		break;
	case OPT_RUNS:
		o->runs = (unsigned)cmd_int("--runs", optarg, 1, 1000);
		raw->runs = true;
		break;
	case 'P':
		o->processes = (unsigned)cmd_int("--processes", optarg, 1,
		    BENCH_MODELS);
		break;
	case OPT_TOGETHER: o->together = true; break;
	case OPT_IDLE:
		o->idle_ns = strcmp(optarg, "none") == 0 ? 0 :
		    parse_ns("--idle", optarg);
		break;
	case OPT_COOLDOWN: o->cooldown_ns = parse_ns("--cooldown", optarg);
		break;
	case OPT_COOL_TO: o->cool_to = parse_degrees(optarg); break;
	default: return false;
	}
	return true;
}

/* Reads an option for the load of inferences. */
static bool
parse_load(struct npu_bench_options *o, struct raw_options *raw, int opt)
{
	struct bench_plan *p = &o->plan;

	switch (opt) {
	case OPT_BOUND: parse_bound(p, optarg); break;
	case OPT_FIND_RATE: p->find_rate = true; break;
	case OPT_INPUT: p->input = parse_file("--input", optarg); break;
	case OPT_NULL: o->null = true; break;
	case OPT_PER_QUERY:
		p->per_query = (unsigned)cmd_int("--per-query", optarg, 1,
		    10000);
		raw->per_query = true;
		break;
	case OPT_RATE: parse_rate(p, optarg); raw->rate = true; break;
	case OPT_REF: p->ref = parse_file("--ref", optarg); break;
	case OPT_SEED:
		p->seed = (uint64_t)cmd_int("--seed", optarg, 0, INT64_MAX);
		break;
	case OPT_TOL:
		tolerance_parse(&o->tolerance, optarg);
		p->tol = &o->tolerance;
		raw->tol = true;
		break;
	default: return false;
	}
	return true;
}

/* may_change: an earlier option does not exclude another format. */
static void
choose_format(struct npu_bench_options *o, enum bench_format format,
    bool may_change)
{
	if (!may_change && format != o->format)
		cmd_usage("two formats, %s and %s, contradict each other",
		    formats[o->format], formats[format]);
	o->format = format;
}

static bool
parse_report(struct npu_bench_options *o, struct raw_options *raw, int opt)
{
	switch (opt) {
	case 'F':
		choose_format(o, (enum bench_format)cmd_choice("--format",
		    optarg, formats), !o->format_flagged);
		o->format_named = true;
		break;
	case OPT_JSON: case OPT_CSV:
		choose_format(o, opt == OPT_JSON ? FORMAT_JSON : FORMAT_CSV,
		    !o->format_named && !o->format_flagged);
		o->format_flagged = true;
		break;
	case OPT_PERCENTILES: parse_percentiles(&o->plan, optarg); break;
	case OPT_OPS: o->plan.ops = parse_operations("--ops", optarg); break;
	case OPT_ONNX: o->onnx = cmd_named("--onnx", optarg); break;
	case OPT_PEAK:
		o->plan.peak = parse_operations("--peak", optarg);
		raw->peak = true;
		break;
	case OPT_POWER: o->power = optarg; break;
	case OPT_ROOT: o->root = cmd_named("--root", optarg); break;
	case OPT_SAMPLES: o->samples = optarg; break;
	case OPT_SAVE: o->save = optarg; break;
	case OPT_STRICT: o->strict = true; break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	default: return false;
	}
	return true;
}

/* Reads an option for the gate, or any other remaining option. */
static void
parse_gate(struct npu_bench_options *o, struct raw_options *raw, int opt,
    char *argv[])
{
	struct bench_gate *g = &o->gate;

	switch (opt) {
	case OPT_AB:
		raw->a = optarg;
		if ((raw->b = argv[optind]) == NULL)
			cmd_usage("--ab: needs two arguments, A and B");
		optind++;
		return;
	case OPT_BASELINE: g->baseline = optarg; return;
	case OPT_SELF_CHECK: o->self_check = true; return;
	case OPT_FORCE_COMPARE: g->force = true;
		raw->needs_gate = "--force-compare";
		break;
	case OPT_JUNIT: o->junit = optarg; raw->needs_gate = "--junit"; break;
	case OPT_MAX_REGRESS: bench_gate_parse_regress(g, optarg);
		raw->needs_gate = "--max-regress";
		break;
	case OPT_MAX_RUNS:
		g->max_runs = (unsigned)cmd_int("--max-runs", optarg, 3, 1000);
		raw->max_runs = true;
		raw->needs_gate = "--max-runs";
		break;
	case OPT_METRICS: bench_gate_parse_metrics(g, optarg);
		raw->needs_gate = "--metrics";
		break;
	case OPT_MIN_DELTA: bench_gate_parse_min_delta(g, optarg);
		raw->needs_gate = "--min-delta";
		break;
	default:	/* OPT_ON_UNSURE */
		bench_gate_parse_unsure(g, optarg);
		raw->needs_gate = "--on-unsure";
		break;
	}
}

static void
parse_option(struct npu_bench_options *o, struct raw_options *raw, int opt,
    char *argv[])
{
	if (opt == OPT_NODE)
		o->node = optarg;
	if (progress_option(opt, optarg))
		return;
	if (side_parse_option(&o->common, opt, optarg)) {
		cmd_device_option(opt, optarg);
		return;
	}
	if (!parse_amount(o, raw, opt) && !parse_load(o, raw, opt) &&
	    !parse_report(o, raw, opt))
		parse_gate(o, raw, opt, argv);
}

static void
parse_models(struct bench_side *side, int argc, char *argv[])
{
	if (argc - optind > BENCH_MODELS)
		cmd_usage("more than %d models", BENCH_MODELS);
	for (int i = optind; i < argc; i++)
		side->model[side->models++] = argv[i];
}

void
options_read(struct npu_bench_options *o, int argc, char *argv[])
{
	struct raw_options raw = { .preset = -1, .least_ns = -1,
	    .most_ns = -1, .least_n = -1, .most_n = -1 };
	int opt;

	*o = (struct npu_bench_options){
		.plan = { .seed = 1, .per_query = 8,
		    .bound_percentile = 99 * PERCENT,
		    .warm_n = 5, .warm_ns = 500000000, .peak = 28.8e12 },
		.gate = bench_gate_default, .common.scenario = -1,
		.processes = 1, .root = "", .idle_ns = -1, .cooldown_ns = -1,
		.cool_to = NAN,
	};
	parse_percentiles(&o->plan, "50,90,95,99,99.9");
	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, &raw, opt, argv);
	parse_models(&o->common, argc, argv);
	o->quiet = cmd_quiet;
	options_check(o, &raw);
}

struct worker_options
options_of_workers(const struct npu_bench_options *o)
{
	return (struct worker_options){ .plan = &o->plan, .sweep = &o->sweep,
	    .processes = o->processes, .null = o->null, .quiet = o->quiet };
}
