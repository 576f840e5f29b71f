// SPDX-License-Identifier: Apache-2.0
/* yolo-detect - find objects in pictures. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/num.h"
#include "detections/decode.h"
#include "device.h"
#include "drawn_output.h"
#include "latest_frame.h"
#include "pictures/picture_inference.h"
#include "pictures/preprocess_options.h"
#include "progress.h"

enum { OPT_CROP = 256, OPT_DRAW, OPT_DROP, OPT_FAST, OPT_TIMES };

static const char *const drops[] = { "old", NULL };

static const struct opt options[] = {
	TAKES('m', "model", "=MODEL", COMPLETE_MODEL,
	    "a YOLOv8 model (yolov8n.cix)"),
	DECODE_OPTIONS,
	ONE_OF(PREPROCESS_ORDER, "order", "=bgr", preprocess_orders,
	    "the model expects blue first (default rgb)"),
	FLAG(OPT_FAST, "fast", "decode large JPEGs at a reduced size"),
	PICTURES_OPTIONS,
	ONE_OF(OPT_DROP, "drop", "=old", drops,
	    "drop pictures of a stream that arrive while the model is busy, "
	    "except the newest"),
	TAKES(OPT_DRAW, "draw", "=DIR", COMPLETE_FOLDER,
	    "write the pictures with boxes to DIR, as PNG; -: as PPM to "
	    "standard output, instead of the records"),
	TAKES(OPT_CROP, "crop", "=DIR", COMPLETE_FOLDER,
	    "write a picture of each object to DIR"),
	FLAG(OPT_TIMES, "times", "print on stderr how long each stage took"),
	TAKES('j', "jobs", "=N", COMPLETE_NONE,
	    "threads that decode while the model runs (1); 0: as many as "
	    "processors"),
	TAKES('T', "timeout", "=TIME", COMPLETE_NONE,
	    "limit of one inference: 500ms, 10s, none (10s)"),
	PROGRESS_OPTIONS,
	CMD_DEVICE_OPTIONS,
	CMD_DIM_OPTION,
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_DEVICE_ENV,
	CMD_MODEL_ENV,
	{ 0 },
};

static const struct moved moved[] = {
	{ "--max", "--count", NULL },
	{ "--layout", "--first", "chw or hwc" },
	{ "--stats", "--times", "statistics of the numbers" },
	{ 0 },
};

const struct program program = {
	.name = "yolo-detect",
	.synopsis = "yolo-detect [OPTION]... [FILE]...",
	.examples =
	"  yolo-detect bus.jpg | jq -r '.detections[].class'\n"
	"  yolo-detect -R --draw=boxes photos >found.jsonl\n",
	.help =
	"Finds objects in pictures (JPEG, PNG, PPM): in each FILE, or in one\n"
	"picture on standard input.\n",
	.options = options,
	.moved = moved,
	.operands = { COMPLETE_PICTURE, COMPLETE_PICTURE },
	.env = env,
	.version = cmd_device_version,
};

/* ---- Options ----------------------------------------------------------- */

struct yolo_detect_options {
	const char *model;
	/* Each parses its own options and performs its part of the work. */
	struct detection_decoder decoder;
	struct pictures pictures;
	struct preprocess_options preprocess;
	struct drawn_output drawn;
	const struct output_dir *written[4];	/* output folders; NULL last */
	unsigned threads;
	bool fast, drop, stats;
	char *const *operands;		/* NULL last */
};

static void
parse_option(struct yolo_detect_options *o, int opt)
{
	if (opt == DECODE_FIT)
		preprocess_option(&o->preprocess, PREPROCESS_FIT, optarg);
	if (cmd_device_option(opt, optarg) ||
	    decode_option(&o->decoder, opt, optarg) ||
	    pictures_option(&o->pictures, opt, optarg) ||
	    preprocess_option(&o->preprocess, opt, optarg) ||
	    progress_option(opt, optarg))
		return;
	switch (opt) {
	case 'j': o->threads = thread_count(optarg); break;
	case 'm': o->model = optarg; break;
	case 'T':
		cmd_device.timeout_ms = cmd_duration_ms("--timeout", optarg);
		break;
	case OPT_CROP: o->drawn.crop = optarg; break;
	case OPT_DRAW: o->drawn.draw = optarg; break;
	case OPT_DROP:
		cmd_choice("--drop", optarg, drops);
		o->drop = true;
		break;
	case OPT_FAST: o->fast = true; break;
	case OPT_TIMES: o->stats = true; break;
	}
}

static bool
names_picture(const char *path)
{
	static const char *const ends[] = { ".png", ".jpg", ".jpeg", ".ppm" };
	const char *dot = path != NULL ? strrchr(path, '.') : NULL;

	for (size_t i = 0; dot != NULL && i < sizeof(ends) / sizeof(*ends);
	    i++)
		if (strcasecmp(dot, ends[i]) == 0)
			return true;
	return false;
}

/* Checks the options that --draw=- excludes: stdout has the pictures, so
 * records are written only to a file of --output. */
static void
check_drawn_stdout(struct detection_style *style)
{
	if (style->output != NULL && strcmp(style->output, "-") == 0)
		cmd_usage("--draw and --output cannot both be standard "
		    "output");
	if (cmd_stdout_is_terminal())
		cmd_usage("--draw: stdout is a terminal; redirect it (> file) "
		    "or pipe it, or name a folder");
	if (style->output != NULL)
		return;
	if (style->format != DETECTIONS_UNSET)
		cmd_usage("--format needs records, and --draw=- writes none; "
		    "--output=FILE writes both");
	style->output = "/dev/null";
}

static void
check_options(struct yolo_detect_options *o)
{
	struct detection_style *style = &o->decoder.style;
	const struct pictures *p = &o->pictures;

	if (o->drop && !p->streams)
		cmd_usage("--drop needs --stream");
	style->several = (o->operands[0] != NULL && o->operands[1] != NULL) ||
	    p->streams || p->recursive || p->null || p->files_from != NULL;
	if (names_picture(style->output))
		cmd_usage("--output: '%s' is the name of a picture, but "
		    "--output is for records; use --draw=FOLDER for pictures",
		    style->output);
	if (drawn_output_to_stdout(&o->drawn))
		check_drawn_stdout(style);
	o->drawn.drawn.naming = o->drawn.crops.naming = style->naming;
	output_naming_check(&style->naming, o->drawn.crop != NULL ||
	    (o->drawn.draw != NULL && !drawn_output_to_stdout(&o->drawn)) ||
	    style->format == DETECTIONS_YOLO);
}

static void
read_options(struct yolo_detect_options *o, int argc, char *argv[])
{
	int opt;

	decode_defaults(&o->decoder);
	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	o->operands = argv + optind;
	check_options(o);
	for (char *const *p = o->operands; *p != NULL; p++)
		cmd_name_input(*p);
	cmd_name_input(o->pictures.files_from);
	cmd_name_input(o->decoder.names_file);
	cmd_name_input(o->decoder.style.image_ids);
}

/* ---- The model --------------------------------------------------------- */

struct yolo_detect {
	struct yolo_detect_options *o;
	struct npu *npu;
	struct inference inference;
	struct picture_inference images;
	uint64_t done, failed;		/* pictures */
	uint64_t rest_ns;		/* time spent after the inferences */
};

/* Called at exit: if the program ends early, completes the document with the
 * objects found so far. */
static void
end_early(void *writer)
{
	cmd_close_model();
	detection_writer_end_early(writer);
}

/* Opens the records' output.  The vendor's library may print to stdout, so
 * records use a descriptor of their own. */
static void
open_records(struct yolo_detect *d)
{
	cmd_claim_stdout();
	cmd_on_exit(end_early, &d->o->decoder.writer);
	decode_open(&d->o->decoder);
}

static struct prep *
open_prep(struct preprocess_options *o, const char *path)
{
	struct prep_recipe recipe;
	struct npu_err err;
	struct prep *prep;

	o->model = path;
	o->preset = "yolo";
	o->model_alone = true;
	preprocess_resolve(o, &recipe);
	if (prep_open(&prep, &recipe, &err) < 0)
		cmd_die_err(path, &err);
	preprocess_note_losses(o, prep);
	return prep;
}

/* Dies unless the model is a detector, and its input has the size that the
 * model file states. */
static void
check_model(struct yolo_detect *d, const char *path)
{
	const struct npu_tensor *in = &prep_recipe(d->images.spec.prep)->tensor;
	const struct npu_tensor *out = npu_output(d->npu, 0);
	struct npu_err err;

	if (npu_inputs(d->npu) != 1 || npu_outputs(d->npu) != 1)
		cmd_die("%s: %u inputs and %u outputs; a YOLOv8 detector has "
		    "one of each", path, npu_inputs(d->npu),
		    npu_outputs(d->npu));
	if (npu_input_size(d->npu) != in->size)
		cmd_die("%s: the library says that its input has %" PRIu64
		    " bytes, the file %" PRIu64, path,
		    npu_input_size(d->npu), in->size);
	if (out->ndim == 0)
		cmd_die("%s: does not state the shape of its output; use "
		    "'img-tensor -m %s', npu-run and 'yolo-decode "
		    "--shape=84,8400' instead", path, path);
	if (decode_prepare(&d->o->decoder, out, path, &err) < 0)
		cmd_die("%s: %s", path, err.msg);
}

static void
open_model(struct yolo_detect *d)
{
	char *path = cmd_model_to_open(d->o->model);

	d->images.spec.prep = open_prep(&d->o->preprocess, path);
	/* Read --names before the model is loaded: until then, a signal ends
	 * the program at once, even if the file is a pipe that blocks. */
	decode_begin(&d->o->decoder, path);
	d->npu = cmd_open_model(path);
	check_model(d, path);
	free(path);
}

/* ---- A picture --------------------------------------------------------- */

static void
put_found(struct yolo_detect *d, struct preprocessed *p, const void *answer,
    struct detected_picture *record)
{
	struct yolo_detect_options *o = d->o;
	uint64_t begin = clock_ns();

	record->width = p->geometry.width;
	record->height = p->geometry.height;
	record->found = decode_tensor(&o->decoder, answer, &p->geometry,
	    p->name, &record->n);
	/* A picture that could not be drawn sets the record's status. */
	if (drawn_output_wanted(&o->drawn) && !drawn_output_put(&o->drawn, p,
	    &o->decoder.names, record->found, record->n))
		record->status = EXIT_FAILED;
	detection_writer_put(&o->decoder.writer, record);
	d->rest_ns += clock_ns() - begin;
}

static void
put(void *arg, struct preprocessed *p, const void *answer)
{
	struct yolo_detect *d = arg;
	struct detected_picture record = { .file = p->file,
	    .on_stdin = p->file == NULL, .frame = p->number };

	if (answer != NULL) {
		put_found(d, p, answer, &record);
	} else {
		cmd_warn("%s: %s", p->name, p->error);
		record.error = p->error;
		detection_writer_put(&d->o->decoder.writer, &record);
		d->failed++;
	}
	d->done++;
}

static void
open_pictures(struct yolo_detect *d)
{
	struct yolo_detect_options *o = d->o;

	o->pictures.pause = o->drop ? NULL : picture_inference_drain;
	o->pictures.arg = &d->images;
	o->written[0] = &o->drawn.drawn;
	o->written[1] = &o->drawn.crops;
	o->written[2] = &o->decoder.writer.folder;
	o->pictures.tree.written = o->written;
	if (o->pictures.recursive)
		o->drawn.drawn.read = o->drawn.crops.read =
		    o->decoder.writer.folder.read = &o->pictures.tree.read;
	if (o->decoder.style.format != DETECTIONS_YOLO)
		o->drawn.drawn.other = o->drawn.crops.other =
		    o->decoder.style.output;
	pictures_open(&o->pictures, o->operands);
	if (o->pictures.lone)
		cmd_take_stdin(NULL);
	for (size_t i = 0; o->operands[i] != NULL; i++)
		cmd_take_stdin(o->operands[i]);
	d->images.spec = (struct preprocess_spec){ .threads = o->threads,
	    .limits = { .fast = o->fast,
	    .max_pixels = o->pictures.max_pixels },
	    .images = drawn_output_wanted(&o->drawn) };
	d->images.done = put;
	d->images.arg = d;
}

/* Runs one inference at a time.  A picture that was queued during another
 * inference would be older than necessary when its turn came. */
static void
detect_latest(struct yolo_detect *d)
{
	struct latest_frame *latest = latest_frame_open(&d->o->pictures);
	struct picture_item item;
	uint64_t dropped;

	while (latest_frame_next(latest, &item)) {
		picture_inference_add(&d->images, &item);
		picture_inference_drain(&d->images);
	}
	cmd_end_if_stopped();
	dropped = latest_frame_dropped(latest);
	if (dropped > 0)
		cmd_note("%" PRIu64 " picture%s dropped, because newer "
		    "pictures arrived", dropped, num_plural(dropped));
	latest_frame_close(latest);
	pictures_close(&d->o->pictures);
}

/* ---- Main -------------------------------------------------------------- */

static double
mean_ms(const struct yolo_detect *d, uint64_t ns)
{
	return d->done == 0 ? 0 : (double)ns / 1e6 / (double)d->done;
}

static void
print_stats(const struct yolo_detect *d, uint64_t ns)
{
	const uint64_t found = d->o->decoder.writer.found;

	cmd_warn("%" PRIu64 " picture%s in %.3f ms, %" PRIu64 " failed, %"
	    PRIu64 " object%s; mean ms prepare %.3f infer %.3f rest %.3f",
	    d->done, num_plural(d->done), (double)ns / 1e6, d->failed, found,
	    num_plural(found),
	    mean_ms(d, d->images.preprocess_ns),
	    mean_ms(d, d->images.infer_ns), mean_ms(d, d->rest_ns));
}

static int
run(struct yolo_detect *d)
{
	uint64_t begin = clock_ns();
	int status;

	inference_open(&d->inference, d->npu, INFERENCE_DEPTH);
	picture_inference_open(&d->images, &d->inference);
	if (d->o->drop)
		detect_latest(d);
	else
		picture_inference_all(&d->images, &d->o->pictures);
	picture_inference_close(&d->images);
	if (d->o->stats)
		print_stats(d, clock_ns() - begin);
	if (drawn_output_wanted(&d->o->drawn))
		drawn_output_close(&d->o->drawn);
	status = decode_end(&d->o->decoder);
	return d->failed > 0 || d->o->drawn.failed ? EXIT_FAILED : status;
}

int
main(int argc, char *argv[])
{
	struct yolo_detect_options o = { .model = "yolov8n.cix",
	    .threads = 1 };
	struct yolo_detect d = { .o = &o };
	int status;

	cmd_start();
	read_options(&o, argc, argv);
	cmd_device_resolve();
	open_records(&d);
	open_pictures(&d);
	open_model(&d);
	drawn_output_open(&o.drawn);
	status = run(&d);
	cmd_exit(status);
}
