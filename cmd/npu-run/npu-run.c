// SPDX-License-Identifier: Apache-2.0
/* npu-run - run a model, from a stream of tensors to a stream of tensors. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "device.h"
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

/* What the options ask for. */
static struct {
	const char *output;
	bool raw, keep_going, dry_run;
	unsigned jobs;		/* in flight */
	enum { STATS_NONE, STATS_TEXT, STATS_JSON } stats;
} want = { .jobs = 3 };

static struct {
	uint64_t frames, failed;
	struct npu_times sum;
} done;

/* What the library said when those in flight were begun, the oldest first. */
static struct {
	char *words[NPU_QUEUE_MAX];	/* NULL: nothing */
	uint64_t begun, ended;
} said;

static void
read_options(int argc, char *argv[])
{
	int c;

	while ((c = cmd_option(argc, argv)) != -1) {
		if (cmd_device_option(c, optarg))
			continue;
		switch (c) {
		case 'i': frame_reader_add_input(optarg); break;
		case 'j':
			want.jobs = (unsigned)cmd_int("-j", optarg, 1,
			    NPU_QUEUE_MAX);
			break;
		case 'k': want.keep_going = true; break;
		case 'o': want.output = optarg; break;
		case 'q': cmd_quiet = true; break;
		case 'r': want.raw = true; break;
		case 'v': cmd_verbose = true; break;
		case 'T':
			cmd_device.timeout_ms = cmd_duration_ms("-T", optarg);
			break;
		case OPT_DRY_RUN: want.dry_run = true; break;
		case OPT_REUSE_JOB: cmd_device.reuse_job = true; break;
		case OPT_STATS:
			want.stats = STATS_TEXT + (optarg == NULL ? 0 :
			    cmd_choice("--stats", optarg, stats_forms));
			break;
		}
	}
	if (optind == argc)
		cmd_usage("which model?  name a .cix file");
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
print_plan(struct npu *npu)
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
	cmd_write_document(want.output, &b);
}

/* ---- Frames -------------------------------------------------------------- */

static void
add_times(const struct npu_times *t)
{
	done.sum.create += t->create;
	done.sum.load += t->load;
	done.sum.infer += t->infer;
	done.sum.get += t->get;
	done.sum.clean += t->clean;
}

/* A frame that failed: told; ends the program, when those before it are
 * written, unless -k, and then too where each later one would fail alike. */
static void
frame_failed(struct pipeline *f, char *words, const struct npu_err *err)
{
	bool ends = !want.keep_going || err->code == NPU_ENODEV;

	cmd_end_if_stopped();
	if (ends)
		pipeline_finish(f);
	cmd_show_captured(words);
	cmd_show_library_output(false);
	cmd_warn("%s: frame %" PRIu64 ": %s", cmd_model_in_use(), said.ended,
	    err->msg);
	done.failed++;
	if (ends)
		cmd_exit(cmd_status(err));
}

static void
begin_frame(struct npu_queue *q, struct pipeline *f, const void *in)
{
	struct npu_err err;

	if (npu_queue_put(q, in, &err) < 0) {
		cmd_end_if_stopped();
		cmd_die_err(cmd_model_in_use(), &err);
	}
	said.words[said.begun++ % NPU_QUEUE_MAX] = cmd_keep_library_output();
	pipeline_started(f);
}

static void
end_frame(struct npu *npu, struct npu_queue *q, struct pipeline *f)
{
	char *words = said.words[said.ended++ % NPU_QUEUE_MAX];
	struct npu_err err;

	if (npu_queue_get(q, pipeline_room(f), &err) < 0) {
		frame_failed(f, words, &err);
		return;
	}
	free(words);
	add_times(npu_last_times(npu));
	done.frames++;
	pipeline_write(f);
	cmd_show_library_output(true);
}

/*
 * The model is fed first.  With nothing to feed it, the oldest is waited for
 * and not the next frame, which may never come before that answer: where frames
 * come faster than they run the next is there, and where they do not it can
 * wait.
 */
static void
run_frames(struct npu *npu, struct npu_queue *q, struct pipeline *f)
{
	const void *in;

	for (;;) {
		in = npu_queue_full(q) ? NULL :
		    pipeline_next(f, npu_queue_length(q));
		cmd_end_if_stopped();
		if (in != NULL)
			begin_frame(q, f, in);
		else if (npu_queue_length(q) > 0)
			end_frame(npu, q, f);
		else
			break;
	}
	pipeline_finish(f);
	pipeline_close(f);
}

/* ---- --stats ------------------------------------------------------------- */

static double
mean_ms(uint64_t sum_ns)
{
	return done.frames == 0 ? 0 :
	    (double)sum_ns / 1e6 / (double)done.frames;
}

static void
print_stats(uint64_t ns)
{
	const struct {
		const char *text, *key;
		double ms;
	} rows[] = {
		{ "create", "create_mean_ms", mean_ms(done.sum.create) },
		{ "load", "load_mean_ms", mean_ms(done.sum.load) },
		{ "infer", "infer_mean_ms", mean_ms(done.sum.infer) },
		{ "get", "get_mean_ms", mean_ms(done.sum.get) },
		{ "clean", "clean_mean_ms", mean_ms(done.sum.clean) },
	};
	struct json j = { 0 };
	struct buf b = { 0 };

	json_object(&j);
	json_key(&j, "schema");
	json_str(&j, "npu-run-stats/1");
	json_key(&j, "frames");
	json_uint(&j, done.frames);
	json_key(&j, "failed");
	json_uint(&j, done.failed);
	json_key(&j, "wall_ms");
	json_double(&j, (double)ns / 1e6);
	buf_printf(&b, "%" PRIu64 " frames in %.3f ms, %" PRIu64
	    " failed; mean ms", done.frames, (double)ns / 1e6, done.failed);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		json_key(&j, rows[i].key);
		json_double(&j, rows[i].ms);
		buf_printf(&b, " %s %.3f", rows[i].text, rows[i].ms);
	}
	json_end_object(&j);
	cmd_need_whole(&j.out);
	cmd_need_whole(&b);
	if (want.stats == STATS_JSON)
		fprintf(stderr, "%.*s\n", (int)j.out.n, j.out.p);
	else
		cmd_warn("%.*s", (int)b.n, b.p);
	json_free(&j);
	buf_free(&b);
}

static void
open_output(struct output *o)
{
	cmd_open_output(o, want.output, true);
	/* A frame is worth a write, even to a file: what ran is there
	 * whatever comes after. */
	o->record_flush = true;
}

static void
run_model(struct npu *npu, char *argv[], int n, struct output *o)
{
	struct pipeline_spec spec = { .npu = npu, .out = o, .raw = want.raw,
	    .depth = want.jobs };
	struct npu_queue *q = cmd_open_queue(want.jobs);
	uint64_t begin;

	spec.frames = frame_reader_open(npu, argv, n);
	begin = clock_ns();
	run_frames(npu, q, pipeline_open(&spec));
	frame_reader_close(spec.frames);
	cmd_close_model();
	cmd_end_if_stopped();
	if (want.stats != STATS_NONE)
		print_stats(clock_ns() - begin);
}

int
main(int argc, char *argv[])
{
	struct npu *npu;
	struct output o;

	cmd_start();
	read_options(argc, argv);
	cmd_device_ready();
	if (!want.dry_run)
		frame_reader_check_inputs(argv + optind + 1, argc - optind - 1);
	cmd_claim_stdout();
	if (!want.dry_run)
		open_output(&o);
	npu = cmd_open_model(argv[optind]);
	if (want.dry_run) {
		print_plan(npu);
		cmd_exit(EXIT_DONE);
	}
	run_model(npu, argv + optind + 1, argc - optind - 1, &o);
	cmd_close_output(&o);
	cmd_exit(done.failed == 0 ? EXIT_DONE : EXIT_FAILED);
}
