// SPDX-License-Identifier: Apache-2.0
/* npu-run - run a model, from a stream of tensors to a stream of tensors. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agreement.h"
#include "base/clock.h"
#include "base/json.h"
#include "comparison.h"
#include "device.h"
#include "failure.h"
#include "guarded.h"
#include "inference.h"
#include "pipeline.h"
#include "plan.h"
#include "progress.h"
#include "tensors/frame_reader.h"
#include "thread.h"

enum {
	OPT_DRY_RUN = 256, OPT_FILL, OPT_FLOAT, OPT_INPUT, OPT_REF,
	OPT_REUSE_JOB, OPT_THREADS, OPT_TIMES, OPT_TOL
};

static const char *const stats_forms[] = { "text", "json", NULL };
/* Formats of the results, in the order of pipeline_spec; and of --dry-run and
 * --ref=MODEL.onnx. */
static const char *const forms[] = { "label", "npy", "raw", "text", "json",
    NULL };
enum { FORM_TEXT = RESULT_RAW + 1, FORM_JSON };

static const struct opt options[] = {
	CMD_DEVICE_OPTIONS,
	CMD_DIM_OPTION,
	CMD_PROVIDER_OPTIONS,
	FLAG(OPT_DRY_RUN, "dry-run",
	    "load MODEL, show its inputs and outputs, run nothing"),
	TAKES(OPT_FILL, "fill", "=WITH", COMPLETE_NONE,
	    "fill inputs without a file: zero, ramp, random or random:SEED"),
	FLAG(OPT_FLOAT, "float",
	    "read and write 32-bit floats; quantise and dequantise them as "
	    "MODEL says"),
	ONE_OF('F', "format", "=FORMAT", forms,
	    "format of the results: label, npy or raw; with --dry-run or "
	    "--ref=MODEL.onnx text or json"),
	TAKES(OPT_INPUT, "input", "=[IN=]FILE", COMPLETE_FILE,
	    "read the input IN, a number or name, from FILE"),
	TAKES('j', "jobs", "=N", COMPLETE_NONE,
	    "inferences in flight, 1 to 64 (3)"),
	FLAG('k', "keep-going",
	    "continue after a failed inference"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE,
	    "write to FILE, which appears at the end; after a failure only "
	    "with -k"),
	PROGRESS_OPTIONS,
	FLAG('q', "quiet", "no notes, no progress"),
	FLAG('r', "raw", "bytes without labels"),
	TAKES(OPT_REF, "ref", "=FILE", COMPLETE_FILE,
	    "exit 4 if the results differ from the tensors of FILE; an ONNX "
	    "model runs on the same inputs, and the report is the output"),
	FLAG(OPT_REUSE_JOB, "reuse-job",
	    "reuse jobs; a new job for each where the driver hangs"),
	TAKES(OPT_THREADS, "threads", "=N", COMPLETE_NONE,
	    "threads of ONNX Runtime for an ONNX model, 1 to 256 (1)"),
	ONE_OF(OPT_TIMES, "times", "[=FORMAT]", stats_forms,
	    "print times on stderr at the end, as a text or json line"),
	TAKES('T', "timeout", "=TIME", COMPLETE_NONE,
	    "limit of one inference: 500ms, 10s, none (10s)"),
	TAKES(OPT_TOL, "tol", "=LIST", COMPLETE_NONE,
	    "with --ref, only beyond max:0.01,rms:0.1,cos:0.999,sqnr:40,"
	    "corr:0.999,mae:0.5"),
	FLAG('v', "verbose", "also print what the vendor's library prints"),
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_DEVICE_ENV,
	CMD_MODEL_ENV,
	{ 0 },
};

static const struct moved moved[] = {
	{ "-i", "--input", "--interval" },
	{ "--stats", "--times", "statistics of the numbers" },
	{ 0 },
};

const struct program program = {
	.name = "npu-run",
	.synopsis = "npu-run [options] MODEL [FILE...]",
	.examples = "  echo 'a photo of a bus' | clip-tokenize | "
	    "npu-run clip_txt.cix | npu-dequant\n"
	    "  npu-run --dry-run clip_txt.cix\n",
	.help =
	"Loads MODEL once and runs it for every frame of tensors in the files\n"
	"or on stdin: labelled, .npy or raw.  Results are written frame by\n"
	"frame.  With --fill it needs no data.\n",
	.options = options,
	.moved = moved,
	.operands = { COMPLETE_MODEL, COMPLETE_FILE },
	.env = env,
	.version = cmd_device_version,
};

struct npu_run_options {
	const char *model, *output;
	int form;		/* index in forms; -1: not given */
	bool keep_going, dry_run, floats, has_tolerance;
	bool ref_is_model;	/* ref is an ONNX model */
	unsigned jobs;		/* inferences in flight */
	const char *ref;	/* NULL: not given */
	struct tolerance tolerance;
	enum { STATS_NONE, STATS_TEXT, STATS_JSON } stats;
	char **files;		/* operands after the model */
	int n_files;
};

struct npu_run {
	const struct npu_run_options *o;
	struct npu *npu;
	struct inference inference;
	struct pipeline *pipeline;
	struct output out;
	struct comparison comparison;
	/* With an ONNX model as --ref; else NULL. */
	struct original *original;
	struct agreement *agreement;
	uint64_t begun;		/* frames that the original has run */
	uint64_t beyond;	/* frames that are not within the tolerance */
	uint64_t frames, failed;
	struct npu_times sum;
};

/* ---- Options ------------------------------------------------------------- */

static void
parse_option(struct npu_run_options *o, int opt)
{
	if (cmd_device_option(opt, optarg) || progress_option(opt, optarg))
		return;
	switch (opt) {
	case 'F': o->form = (int)cmd_choice("--format", optarg, forms); break;
	case OPT_INPUT: frame_reader_add_input(optarg); break;
	case 'j':
		o->jobs = (unsigned)cmd_int("--jobs", optarg, 1, NPU_QUEUE_MAX);
		break;
	case 'k': o->keep_going = true; break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'r': o->form = RESULT_RAW; break;
	case 'v': cmd_verbose = true; break;
	case 'T':
		cmd_device.timeout_ms = cmd_duration_ms("--timeout", optarg);
		break;
	case OPT_DRY_RUN: o->dry_run = true; break;
	case OPT_FILL: frame_reader_fill(optarg); break;
	case OPT_FLOAT:
		o->floats = true;
		frame_reader_take_floats();
		break;
	case OPT_REF: o->ref = optarg; break;
	case OPT_TOL:
		tolerance_parse(&o->tolerance, optarg);
		o->has_tolerance = true;
		break;
	case OPT_REUSE_JOB: cmd_device.reuse_job = true; break;
	case OPT_THREADS:
		cmd_device.threads = (uint32_t)cmd_int("--threads", optarg, 1,
		    THREADS_MAX);
		break;
	case OPT_TIMES:
		o->stats = STATS_TEXT + (optarg == NULL ? 0 :
		    cmd_choice("--times", optarg, stats_forms));
		break;
	}
}

static void
check_comparison(struct npu_run_options *o)
{
	if (o->has_tolerance && o->ref == NULL)
		cmd_usage("--tol needs --ref");
	if (o->ref != NULL && o->dry_run)
		cmd_usage("--ref compares results, and --dry-run has none");
	if (o->ref != NULL && cmd_is_dash(o->ref))
		cmd_usage("--ref needs a file; standard input is for inputs");
	o->ref_is_model = o->ref != NULL && original_is_onnx(o->ref);
	if (!o->has_tolerance && !o->ref_is_model)
		o->tolerance.has[DIFF_MAX] = true;	/* limit 0 */
}

/* True if the output is a text or JSON: what --dry-run or the ONNX model of
 * --ref have to say. */
static bool
reports(const struct npu_run_options *o)
{
	return o->dry_run || (o->ref_is_model && o->output == NULL);
}

static void
check_form(const struct npu_run_options *o)
{
	bool is_report = o->form >= FORM_TEXT;

	if (o->form < 0 || is_report == reports(o) ||
	    (is_report && o->ref_is_model))
		return;
	if (o->ref_is_model)
		cmd_usage("--format=%s is for results, and with an ONNX model "
		    "as --ref only --output=FILE writes them", forms[o->form]);
	cmd_usage("--format=%s is for %s", forms[o->form], o->dry_run ?
	    "results, and --dry-run has none; text or json" :
	    "--dry-run; label, npy or raw");
}

static void
read_options(struct npu_run_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	if (optind == argc)
		cmd_usage("no model given: npu-run MODEL [FILE...]");
	if (o->floats && o->dry_run)
		cmd_usage("--float is for tensors, and --dry-run has none");
	check_comparison(o);
	check_form(o);
	o->model = argv[optind];
	o->files = argv + optind + 1;
	o->n_files = argc - optind - 1;
	for (int i = 0; i < o->n_files; i++)
		cmd_name_input(o->files[i]);
	if (o->ref_is_model)
		cmd_note_input_path(o->ref);
}

/* ---- Frames -------------------------------------------------------------- */

static void
add_times(struct npu_times *sum, const struct npu_times *t)
{
	sum->create += t->create;
	sum->load += t->load;
	sum->infer += t->infer;
	sum->get += t->get;
	sum->clean += t->clean;
}

/*
 * Reports a frame that failed.  Without -k, ends the program after writing the
 * earlier frames; with -k, only if all later frames would fail in the same way.
 */
static void
frame_failed(struct npu_run *r, const struct npu_err *err)
{
	bool ends = !r->o->keep_going || err->code == NPU_ENODEV;

	if (ends)
		pipeline_finish(r->pipeline);
	inference_show_printed(&r->inference);
	cmd_warn("%s: frame %" PRIu64 ": %s", cmd_model_in_use(),
	    r->frames + ++r->failed, err->msg);
	if (ends)
		cmd_exit(cmd_status(err));
}

/* Handles the results at out, if any, of the frame counted last. */
static void
compare_frame(struct npu_run *r, const uint8_t *out)
{
	struct npu_err err;

	if (r->original != NULL) {
		if (out != NULL)
			agreement_add(r->agreement, out, r->frames + r->failed);
		original_drop(r->original);
		return;
	}
	if (r->comparison.path == NULL || comparison_frame(&r->comparison,
	    r->npu, out, r->frames + r->failed, &err) == 0)
		return;
	pipeline_finish(r->pipeline);
	cmd_die_err(NULL, &err);
}

static void
end_frame(struct npu_run *r)
{
	uint8_t *out = pipeline_room(r->pipeline);
	struct inference_result *result = inference_take_only(&r->inference,
	    out);

	if (result->rc < 0) {
		frame_failed(r, &result->err);
		compare_frame(r, NULL);
		return;
	}
	add_times(&r->sum, result->times);
	r->frames++;
	pipeline_write(r->pipeline);
	compare_frame(r, out);	/* written meanwhile, and not reused */
	inference_show_printed(&r->inference);
	progress_update(r->frames + r->failed);
}

/*
 * Feeds the model first.  With nothing to feed, waits for the oldest result and
 * not for the next frame, which may never come before that result.  If frames
 * come faster than they run, the next frame is already there; otherwise it can
 * wait.
 */
static void
run_frames(struct npu_run *r)
{
	const void *in;

	for (;;) {
		in = inference_full(&r->inference) ? NULL :
		    pipeline_next(r->pipeline,
		    inference_waiting(&r->inference));
		cmd_end_if_stopped();
		if (in != NULL) {
			inference_submit(&r->inference, in, NULL);
			if (r->original != NULL)
				original_run(r->original, in, ++r->begun);
			pipeline_started(r->pipeline);
		} else if (inference_waiting(&r->inference) > 0) {
			end_frame(r);
		} else {
			break;
		}
	}
	pipeline_finish(r->pipeline);
	pipeline_close(r->pipeline);
}

/* ---- --times ------------------------------------------------------------- */

static double
mean_ms(const struct npu_run *r, uint64_t sum_ns)
{
	return r->frames == 0 ? 0 :
	    (double)sum_ns / 1e6 / (double)r->frames;
}

static void
print_stats(const struct npu_run *r, uint64_t ns)
{
	const struct {
		const char *text, *key;
		double ms;
	} rows[] = {
		{ "create", "create_mean_ms", mean_ms(r, r->sum.create) },
		{ "load", "load_mean_ms", mean_ms(r, r->sum.load) },
		{ "infer", "infer_mean_ms", mean_ms(r, r->sum.infer) },
		{ "get", "get_mean_ms", mean_ms(r, r->sum.get) },
		{ "clean", "clean_mean_ms", mean_ms(r, r->sum.clean) },
	};
	struct json j = { 0 };
	struct buf b = { 0 };

	json_object(&j);
	json_key(&j, "schema");
	json_str(&j, "npu-run-stats/1");
	json_key(&j, "frames");
	json_uint(&j, r->frames);
	json_key(&j, "failed");
	json_uint(&j, r->failed);
	json_key(&j, "wall_ms");
	json_double(&j, (double)ns / 1e6);
	buf_printf(&b, "%" PRIu64 " frame%s in %.3f ms, ", r->frames,
	    r->frames == 1 ? "" : "s", (double)ns / 1e6);
	if (r->failed == 0)
		buf_puts(&b, "none");
	else
		buf_printf(&b, "%" PRIu64, r->failed);
	buf_puts(&b, " failed; mean times (ms):");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		json_key(&j, rows[i].key);
		json_double(&j, rows[i].ms);
		buf_printf(&b, " %s %.3f", rows[i].text, rows[i].ms);
	}
	json_end_object(&j);
	cmd_check_buf(&j.out);
	cmd_check_buf(&b);
	if (r->o->stats == STATS_JSON)
		fprintf(stderr, "%.*s\n", (int)j.out.n, j.out.p);
	else
		cmd_warn("%.*s", (int)b.n, b.p);
	json_free(&j);
	buf_free(&b);
}

static void
open_output(struct npu_run *r)
{
	cmd_open_output(&r->out, reports(r->o) ? "/dev/null" : r->o->output,
	    true);
	/* Flush each frame even to a file: results must survive a later
	 * failure. */
	r->out.record_flush = true;
}

static void
run_model(struct npu_run *r)
{
	const struct npu_run_options *o = r->o;
	struct pipeline_spec spec = { .npu = r->npu, .out = &r->out,
	    .depth = o->jobs, .floats = o->floats };
	uint64_t begin;

	if (o->form >= 0 && o->form < FORM_TEXT)
		spec.form = (unsigned)o->form;
	if (o->ref_is_model) {
		r->original = original_open(o->ref, r->npu, o->jobs + 1);
		r->agreement = agreement_open(r->npu, r->original,
		    &o->tolerance);
	} else if (o->ref != NULL) {
		r->comparison.tolerance = o->tolerance;
		comparison_open(&r->comparison, o->ref);
	}
	inference_open(&r->inference, r->npu, o->jobs);
	spec.frames = frame_reader_open(r->npu, o->files, o->n_files);
	begin = clock_ns();
	progress_begin("frames", 0);
	if (progress_wanted())
		progress_total(frame_reader_count(spec.frames));
	r->pipeline = pipeline_open(&spec);
	run_frames(r);
	progress_end();
	frame_reader_close(spec.frames);
	if (r->original != NULL) {
		r->beyond = agreement_report(r->agreement, o->ref,
		    o->form == FORM_JSON, r->failed);
		original_close(r->original);
	} else if (o->ref != NULL) {
		comparison_close(&r->comparison);
		r->beyond = r->comparison.beyond;
	}
	cmd_close_model();
	cmd_end_if_stopped();
	if (o->stats != STATS_NONE)
		print_stats(r, clock_ns() - begin);
}

/* With an ONNX model as --ref, --dim and --threads are for that model, unless
 * MODEL is one as well. */
static struct npu *
open_model(const struct npu_run_options *o)
{
	const struct npu_options all = cmd_device;
	char *path = o->ref_is_model ? cmd_model_to_open(o->model) : NULL;
	struct npu *npu;

	if (path != NULL && !original_is_onnx(path)) {
		if (cmd_device.provider != NPU_PROVIDER_CPU)
			cmd_usage("--provider=zhouyi cannot be in one process "
			    "with a .cix model: run %s by itself, with "
			    "--output=FILE, and then compare with --ref=FILE",
			    o->ref);
		cmd_device.n_dims = 0;
		cmd_device.threads = 0;
	}
	free(path);
	npu = cmd_open_model(o->model);
	cmd_device.n_dims = all.n_dims;
	cmd_device.threads = all.threads;
	return npu;
}

int
main(int argc, char *argv[])
{
	struct npu_run_options o = { .jobs = 3, .form = -1 };
	struct npu_run r = { .o = &o };

	cmd_start();
	read_options(&o, argc, argv);
	cmd_device_resolve();
	if (!o.dry_run)
		frame_reader_check_inputs(o.files, o.n_files);
	cmd_claim_stdout();
	if (!o.dry_run)
		open_output(&r);
	if (o.dry_run || o.ref_is_model)
		failure_begin(o.dry_run, o.form == FORM_JSON, o.output);
	r.npu = open_model(&o);
	if (o.dry_run) {
		plan_write(r.npu, o.form == FORM_JSON, o.output);
		cmd_exit(EXIT_DONE);
	}
	run_model(&r);
	cmd_close_output(&r.out);
	if (r.failed > 0)
		cmd_exit(EXIT_FAILED);
	cmd_exit(r.beyond > 0 ? EXIT_VERDICT : EXIT_DONE);
}
