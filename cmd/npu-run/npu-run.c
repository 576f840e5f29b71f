// SPDX-License-Identifier: Apache-2.0
/* npu-run - run a model, from a stream of tensors to a stream of tensors. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "device.h"
#include "inference.h"
#include "pipeline.h"
#include "tensors/frame_reader.h"

enum { OPT_DRY_RUN = 256, OPT_REUSE_JOB, OPT_STATS };

static const char *const stats_forms[] = { "text", "json", NULL };

static const struct opt options[] = {
	CMD_DEVICE_OPTIONS,
	FLAG(OPT_DRY_RUN, "dry-run",
	    "load, tell what goes in and out, run nothing"),
	TAKES('i', "input", "=[IN=]FILE", COMPLETE_FILE,
	    "read one input, a number or name, from FILE"),
	TAKES('j', "jobs", "=N", COMPLETE_NONE,
	    "inferences in flight, 1 to 64 (3)"),
	FLAG('k', "keep-going",
	    "after a failed inference, go on with the next"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE,
	    "write here; appears at the end, after a failure only with -k"),
	FLAG('q', "quiet", "no notes on stderr"),
	FLAG('r', "raw", "bytes without labels"),
	FLAG(OPT_REUSE_JOB, "reuse-job",
	    "few jobs for all (some drivers hang: then not)"),
	ONE_OF(OPT_STATS, "stats", "[=FORMAT]", stats_forms,
	    "text or json line on stderr at the end"),
	TAKES('T', "timeout", "=TIME", COMPLETE_NONE,
	    "of one inference: 500ms, 10s, none (10s)"),
	FLAG('v', "verbose", "also what the vendor library says"),
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_DEVICE_ENV,
	CMD_MODEL_ENV,
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
	"frame.\n",
	.options = options,
	.operands = { COMPLETE_MODEL, COMPLETE_FILE },
	.env = env,
	.version = cmd_device_version,
};

struct npu_run_options {
	const char *model, *output;
	bool raw, keep_going, dry_run;
	unsigned jobs;		/* in flight */
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
	uint64_t frames, failed;
	struct npu_times sum;
};

/* ---- Options ------------------------------------------------------------- */

static void
parse_option(struct npu_run_options *o, int opt)
{
	if (cmd_device_option(opt, optarg))
		return;
	switch (opt) {
	case 'i': frame_reader_add_input(optarg); break;
	case 'j':
		o->jobs = (unsigned)cmd_int("-j", optarg, 1, NPU_QUEUE_MAX);
		break;
	case 'k': o->keep_going = true; break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'r': o->raw = true; break;
	case 'v': cmd_verbose = true; break;
	case 'T':
		cmd_device.timeout_ms = cmd_duration_ms("-T", optarg);
		break;
	case OPT_DRY_RUN: o->dry_run = true; break;
	case OPT_REUSE_JOB: cmd_device.reuse_job = true; break;
	case OPT_STATS:
		o->stats = STATS_TEXT + (optarg == NULL ? 0 :
		    cmd_choice("--stats", optarg, stats_forms));
		break;
	}
}

static void
read_options(struct npu_run_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	if (optind == argc)
		cmd_usage("which model?  name a .cix file");
	o->model = argv[optind];
	o->files = argv + optind + 1;
	o->n_files = argc - optind - 1;
}

/* ---- --dry-run ----------------------------------------------------------- */

static void
plan_tensors(struct buf *b, const char *what, uint32_t n,
    const struct npu_tensor *(*tensor)(const struct npu *, uint32_t),
    const struct npu *npu)
{
	char line[200];

	for (uint32_t i = 0; i < n; i++) {
		const struct npu_tensor *t = tensor(npu, i);

		npu_tensor_format(t, line, sizeof(line));
		buf_printf(b, "%s %" PRIu32 "%s%s: %s, %" PRIu64 " bytes\n",
		    what, i, t->name[0] != '\0' ? " " : "", t->name, line,
		    t->size);
	}
}

static void
print_plan(struct npu *npu, const char *output)
{
	struct npu_err err;
	struct buf b = { 0 };

	if (npu_probe(npu, &err) < 0)
		cmd_die_err(cmd_model_in_use(), &err);
	cmd_end_if_stopped();
	plan_tensors(&b, "input", npu_inputs(npu), npu_input, npu);
	plan_tensors(&b, "output", npu_outputs(npu), npu_output, npu);
	buf_printf(&b, "runs on %s%s\n", npu_is_emulator(npu) ?
	    "the emulator, " : "", npu_library(npu));
	cmd_write_document(output, &b);
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

/* Reports a frame that failed.  It ends the program, when those before it are
 * written, unless -k, and then too where each later one would fail alike. */
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

static void
end_frame(struct npu_run *r)
{
	struct inference_result *result = inference_take_only(&r->inference,
	    pipeline_room(r->pipeline));

	if (result->rc < 0) {
		frame_failed(r, &result->err);
		return;
	}
	add_times(&r->sum, result->times);
	r->frames++;
	pipeline_write(r->pipeline);
	inference_show_printed(&r->inference);
}

/*
 * The model is fed first.  With nothing to feed it, the oldest is waited for
 * and not the next frame, which may never come before that answer: where frames
 * come faster than they run the next is there, and where they do not it can
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

/* ---- --stats ------------------------------------------------------------- */

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
	buf_printf(&b, "%" PRIu64 " frames in %.3f ms, %" PRIu64
	    " failed; mean ms", r->frames, (double)ns / 1e6, r->failed);
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
	cmd_open_output(&r->out, r->o->output, true);
	/* A frame is worth a write, even to a file: what ran is there
	 * whatever comes after. */
	r->out.record_flush = true;
}

static void
run_model(struct npu_run *r)
{
	const struct npu_run_options *o = r->o;
	struct pipeline_spec spec = { .npu = r->npu, .out = &r->out,
	    .raw = o->raw, .depth = o->jobs };
	uint64_t begin;

	inference_open(&r->inference, r->npu, o->jobs);
	spec.frames = frame_reader_open(r->npu, o->files, o->n_files);
	begin = clock_ns();
	r->pipeline = pipeline_open(&spec);
	run_frames(r);
	frame_reader_close(spec.frames);
	cmd_close_model();
	cmd_end_if_stopped();
	if (o->stats != STATS_NONE)
		print_stats(r, clock_ns() - begin);
}

int
main(int argc, char *argv[])
{
	struct npu_run_options o = { .jobs = 3 };
	struct npu_run r = { .o = &o };

	cmd_start();
	read_options(&o, argc, argv);
	cmd_device_resolve();
	if (!o.dry_run)
		frame_reader_check_inputs(o.files, o.n_files);
	cmd_claim_stdout();
	if (!o.dry_run)
		open_output(&r);
	r.npu = cmd_open_model(o.model);
	if (o.dry_run) {
		print_plan(r.npu, o.output);
		cmd_exit(EXIT_DONE);
	}
	run_model(&r);
	cmd_close_output(&r.out);
	cmd_exit(r.failed == 0 ? EXIT_DONE : EXIT_FAILED);
}
