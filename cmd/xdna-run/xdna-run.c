// SPDX-License-Identifier: Apache-2.0
/* xdna-run - run a kernel of a container on an AMD NPU. */
#include <inttypes.h>

#include "base/clock.h"
#include "device.h"
#include "frames.h"
#include "job.h"
#include "node.h"
#include "progress.h"

enum {
	OPT_BUFFERS = 256, OPT_DRY_RUN, OPT_KERNEL, OPT_NINSTR, OPT_NODE,
	OPT_SHAPE, OPT_STATS, OPT_TWIN
};

static const char *const units[] = { "bytes", "words", NULL };

static const struct opt options[] = {
	TAKES(OPT_BUFFERS, "buffers", "=LIST", COMPLETE_NONE,
	    "buffers that the instructions do not show: "
	    "in:BYTES,out:BYTES,inout:BYTES,-"),
	ONE_OF('d', "device", "=WHICH", device_kinds,
	    "auto, npu (never the emulated device) or emu"),
	FLAG(OPT_DRY_RUN, "dry-run",
	    "show the kernel and its buffers, run nothing"),
	FLAG('k', "keep-going", "continue after a failed frame"),
	TAKES(OPT_KERNEL, "kernel", "=NAME", COMPLETE_NONE,
	    "the kernel to run, NAME or NAME:INSTANCE (default: the only "
	    "kernel)"),
	ONE_OF(OPT_NINSTR, "ninstr", "=UNIT", units,
	    "the length of the instructions in bytes (default) or words"),
	TAKES(OPT_NODE, "node", "=PATH", COMPLETE_FILE,
	    "device node (the first of /dev/accel)"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE,
	    "write to FILE, which appears at the end; after a failure, only "
	    "with -k"),
	PROGRESS_OPTIONS,
	FLAG('q', "quiet", "no notes, no progress"),
	FLAG('r', "raw", "bytes without labels"),
	TAKES(OPT_SHAPE, "shape", "=SPEC", COMPLETE_NONE,
	    "type and shape of an output, TYPE:SHAPE[:SCALE[:ZERO]]; once for "
	    "each output"),
	FLAG(OPT_STATS, "stats", "print frames and times on stderr at the end"),
	TAKES('T', "timeout", "=TIME", COMPLETE_NONE,
	    "limit of one frame: 500ms, 10s, none (10s)"),
	TAKES(OPT_TWIN, "twin", "=NAME", COMPLETE_NONE,
	    "what the emulated device computes: copy, or a kernel of npu-ref"),
	FLAG('v', "verbose", "print which files are read, and the device"),
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	{ "NPU_DEVICE", "auto, npu or emu, as -d" },
	{ "NPU_TWIN", "what the emulated device computes, as --twin" },
	{ 0 },
};

const struct program program = {
	.name = "xdna-run",
	.synopsis = "xdna-run [OPTION]... FILE.xclbin INSTS",
	.examples =
	"  xdna-run main.xclbin insts.bin <in >out\n"
	"  xdna-run --dry-run main.xclbin insts.bin\n",
	.help =
	"Loads the kernel of FILE.xclbin on an AMD NPU, through the driver\n"
	"of the Linux kernel, and runs it with the instruction stream INSTS\n"
	"for each frame of input on stdin: labelled, .npy or raw.  Results\n"
	"are written frame by frame.\n",
	.options = options,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
	.env = env,
};

/* ---- Options ----------------------------------------------------------- */

struct run_options {
	struct job_spec job;
	struct shapes shapes;
	struct device_choice device;
	bool device_given;
	bool dry_run, raw, stats, keep_going;
	int32_t timeout_ms;		/* negative: none */
	const char *output;		/* NULL: stdout */
};

static void
parse_option(struct run_options *o, int opt)
{
	if (progress_option(opt, optarg))
		return;
	switch (opt) {
	case OPT_BUFFERS: buffers_parse(&o->job.buffers, optarg); break;
	case OPT_DRY_RUN: o->dry_run = true; break;
	case OPT_KERNEL: o->job.kernel = optarg; break;
	case OPT_NINSTR:
		o->job.ninstr_words = cmd_choice("--ninstr", optarg, units);
		break;
	case OPT_NODE: o->device.node = cmd_named("--node", optarg); break;
	case OPT_SHAPE: shapes_add(&o->shapes, optarg); break;
	case OPT_STATS: o->stats = true; break;
	case OPT_TWIN: o->device.twin = optarg; break;
	case 'd':
		o->device.kind = (enum device_kind)cmd_choice("--device",
		    optarg, device_kinds);
		o->device_given = true;
		break;
	case 'k': o->keep_going = true; break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'r': o->raw = true; break;
	case 'T': o->timeout_ms = cmd_duration_ms("--timeout", optarg); break;
	case 'v': cmd_verbose = true; break;
	}
}

static void
read_operands(struct run_options *o, char *const *operands, int n)
{
	if (n < 2)
		cmd_usage("%s: xdna-run FILE.xclbin INSTS", n == 0 ?
		    "no container given" : "no instruction stream given");
	if (n > 2)
		cmd_usage("extra operand '%s'; input is read from stdin",
		    operands[2]);
	o->job.container = operands[0];
	o->job.stream = operands[1];
	if (!o->dry_run)
		cmd_name_input("-");
	cmd_name_input(operands[0]);
	cmd_name_input(operands[1]);
}

static void
read_options(struct run_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	if (o->raw && o->shapes.n > 0)
		cmd_usage("--shape describes labels, and --raw writes no "
		    "labels");
	device_resolve(&o->device, o->device_given);
	read_operands(o, argv + optind, argc - optind);
}

/* ---- Frames ------------------------------------------------------------ */

struct xdna_run {
	const struct run_options *o;
	struct job job;
	struct frames frames;
	struct xdna *x;
	uint64_t ran, failed;	/* frames */
	uint64_t ns;		/* time of the frames that ran */
	int status;		/* set if something other than a frame failed */
};

/* Called at exit: closes the device, and keeps complete results. */
static void
close_on_exit(void *arg)
{
	struct xdna_run *r = arg;

	xdna_close(r->x);
	r->x = NULL;
	if (cmd_stop == 0)
		cmd_abandon_output(&r->frames.out);
}

/* Ends the program if a signal asked for it. */
static void
end_if_stopped(void)
{
	if (cmd_stop != 0)
		cmd_exit(EXIT_FAILED);
}

/* Reports a failure after which no other frame can run.  With -k, the results
 * so far are kept, also in the file of -o. */
static void
run_failed(struct xdna_run *r, const char *subject, const struct npu_err *err)
{
	end_if_stopped();
	if (!r->o->keep_going)
		cmd_die_err(subject, err);
	cmd_warn("%s: %s", subject, err->msg);
	r->status = cmd_status(err);
}

/* Reports a frame that failed.  With -k, the device is opened again if the
 * command may still be running. */
static void
frame_failed(struct xdna_run *r, const struct npu_err *err)
{
	struct xdna *x = r->x;

	end_if_stopped();
	cmd_warn("%s: frame %" PRIu64 ": %s", r->job.container,
	    r->ran + ++r->failed, err->msg);
	if (!r->o->keep_going)
		cmd_exit(EXIT_FAILED);
	if (xdna_is_hung(x)) {
		r->x = NULL;
		r->x = device_reopen(x, &r->job);
	}
}

static void
run_frame(struct xdna_run *r)
{
	uint64_t begin = clock_ns();
	struct npu_err err;

	if (xdna_run(r->x, r->o->timeout_ms, &err) < 0) {
		frame_failed(r, &err);
		return;
	}
	r->ns += clock_ns() - begin;
	r->ran++;
	frames_write(&r->frames, r->x);
}

static void
run_frames(struct xdna_run *r)
{
	struct npu_err err;
	int rc = frames_begin(&r->frames, &err);

	progress_begin("frames", rc < 0 ? 0 : frames_count(&r->frames));
	while (rc >= 0 && (rc = frames_read(&r->frames, r->x, &err)) > 0) {
		end_if_stopped();
		run_frame(r);
		end_if_stopped();
		progress_update(r->ran + r->failed);
	}
	progress_end();
	end_if_stopped();
	if (rc < 0)
		run_failed(r, "stdin", &err);
}

/* Releases the device.  A failure is reported although every frame was written:
 * the NPU may still be busy for other processes. */
static void
end_device(struct xdna_run *r)
{
	struct xdna *x = r->x;
	struct npu_err err;

	r->x = NULL;
	if (xdna_end(x, &err) < 0)
		run_failed(r, r->job.container, &err);
}

static void
print_stats(const struct xdna_run *r, uint64_t ns)
{
	char failed[24] = "none";

	if (r->failed > 0)
		snprintf(failed, sizeof(failed), "%" PRIu64, r->failed);
	cmd_warn("%" PRIu64 " frame%s in %.3f ms, %s failed; mean time of a "
	    "run %.3f ms", r->ran, r->ran == 1 ? "" : "s", (double)ns / 1e6,
	    failed, r->ran == 0 ? 0 : (double)r->ns / 1e6 / (double)r->ran);
}

/* Refuses --twin if an NPU would run the job: no option is ignored (rule 7),
 * and the result of an NPU does not depend on a twin. */
static void
refuse_useless_twin(const struct device_choice *c)
{
	const char *node;

	if (c->twin == NULL || c->kind != DEVICE_AUTO)
		return;
	if (c->node != NULL)
		cmd_usage("--twin is for the emulated device, and --node names "
		    "an NPU; leave one out");
	if ((node = node_find("")) != NULL)
		cmd_usage("--twin is for the emulated device, and there is a "
		    "node, %s: add --device=emu, or leave --twin out", node);
}

static void
run_job(struct xdna_run *r)
{
	uint64_t begin;

	refuse_useless_twin(&r->o->device);
	frames_open(&r->frames, &r->job.run, &r->o->shapes, r->o->raw,
	    r->o->output);
	cmd_catch_signals();
	cmd_on_exit(close_on_exit, r);
	r->x = device_open(&r->o->device, &r->job);
	begin = clock_ns();
	run_frames(r);
	end_device(r);
	cmd_close_output(&r->frames.out);
	end_if_stopped();
	if (r->o->stats)
		print_stats(r, clock_ns() - begin);
}

int
main(int argc, char *argv[])
{
	/* Static, because cmd_start() must be able to report a stack limit that
	 * is too small for these objects. */
	static struct run_options o = { .timeout_ms = 10000 };
	static struct npu_tensor out[XDNA_BUFFERS];
	static struct xdna_run r = { .o = &o };

	cmd_start();
	read_options(&o, argc, argv);
	job_read(&r.job, &o.job);
	if (o.dry_run) {
		shapes_outputs(&o.shapes, &r.job.run, out);
		job_describe(&r.job, o.output);
	} else {
		run_job(&r);
	}
	if (r.failed > 0)
		r.status = EXIT_FAILED;
	cmd_exit(r.status);
}
