// SPDX-License-Identifier: Apache-2.0
/* yolo-detect - find objects in pictures. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "detections/decode.h"
#include "device.h"
#include "drawn_output.h"
#include "latest_frame.h"
#include "pictures/picture_inference.h"
#include "pictures/preprocess_options.h"

enum { OPT_CROP = 256, OPT_DRAW, OPT_DROP, OPT_FAST, OPT_STATS };

static const char *const drops[] = { "old", NULL };

static const struct opt options[] = {
	TAKES('m', "model", "=MODEL", COMPLETE_MODEL, "a YOLOv8 (yolov8n.cix)"),
	DECODE_OPTIONS,
	ONE_OF(PREPROCESS_ORDER, "order", "=bgr", preprocess_orders,
	    "the model wants blue first (default rgb)"),
	FLAG(OPT_FAST, "fast", "decode large JPEGs at a part of their size"),
	PICTURES_OPTIONS,
	ONE_OF(OPT_DROP, "drop", "=old", drops,
	    "of a stream, while busy, keep the newest"),
	TAKES(OPT_DRAW, "draw", "=DIR", COMPLETE_FOLDER,
	    "the pictures with boxes to DIR, as PNG; -: as PPM to standard "
	    "output, not the records"),
	TAKES(OPT_CROP, "crop", "=DIR", COMPLETE_FOLDER,
	    "each object, cut out, to DIR"),
	FLAG(OPT_STATS, "stats", "say on standard error where time went"),
	TAKES('j', "jobs", "=N", COMPLETE_NONE,
	    "threads that decode while the model runs (1); 0: as many as "
	    "processors"),
	TAKES('T', "timeout", "=TIME", COMPLETE_NONE,
	    "of one inference: 500ms, 10s, none (10s)"),
	CMD_DEVICE_OPTIONS,
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_DEVICE_ENV,
	CMD_MODEL_ENV,
	{ 0 },
};

const struct program program = {
	.name = "yolo-detect",
	.synopsis = "yolo-detect [OPTION]... [FILE]...",
	.examples =
	"  yolo-detect bus.jpg | jq -r '.detections[].class'\n"
	"  yolo-detect -R --draw=boxes photos >found.jsonl\n",
	.help =
	"Finds objects in the pictures FILE, or the one on standard input:\n"
	"JPEG, PNG or PPM.\n",
	.options = options,
	.operands = { COMPLETE_PICTURE, COMPLETE_PICTURE },
	.env = env,
	.version = cmd_device_version,
};

struct detector {
	const char *model;
	struct detection_decoder decoder;
	struct pictures pictures;
	struct preprocess_options preprocess;
	struct picture_inference images;
	struct shown shown;
	bool drop, stats;

	struct npu *npu;
	struct inference inference;
	uint64_t done, failed;
	uint64_t rest_ns;
};

/* ---- What was said ----------------------------------------------------- */

static void
take_option(struct detector *d, int c)
{
	if (c == DECODE_FIT)
		preprocess_option(&d->preprocess, PREPROCESS_FIT, optarg);
	if (cmd_device_option(c, optarg) ||
	    decode_option(&d->decoder, c, optarg) ||
	    pictures_option(&d->pictures, c, optarg) ||
	    preprocess_option(&d->preprocess, c, optarg))
		return;
	switch (c) {
	case 'j': d->images.spec.threads = thread_count(optarg); break;
	case 'm': d->model = optarg; break;
	case 'T':
		cmd_device.timeout_ms = cmd_duration_ms("-T", optarg);
		break;
	case OPT_CROP: d->shown.crop = optarg; break;
	case OPT_DRAW: d->shown.draw = optarg; break;
	case OPT_DROP:
		cmd_choice("--drop", optarg, drops);
		d->drop = true;
		break;
	case OPT_FAST: d->images.spec.limits.fast = true; break;
	case OPT_STATS: d->stats = true; break;
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

static void
check_options(struct detector *d, int operands)
{
	struct detection_style *style = &d->decoder.style;

	if (d->drop && !d->pictures.streams)
		cmd_usage("--drop is about --stream");
	style->several = operands > 1 || d->pictures.streams ||
	    d->pictures.recursive || d->pictures.null ||
	    d->pictures.files_from != NULL;
	if (names_picture(style->output))
		cmd_usage("--output: '%s' is a picture's name, and records "
		    "are written to it; --draw=FOLDER makes pictures",
		    style->output);
	if (d->shown.draw == NULL || strcmp(d->shown.draw, "-") != 0)
		return;
	if (style->output != NULL && strcmp(style->output, "-") == 0)
		cmd_usage("--draw and --output cannot both be standard "
		    "output");
	if (cmd_stdout_is_terminal())
		cmd_usage("--draw: stdout is a terminal; redirect it (> file) "
		    "or pipe it, or name a folder");
	if (style->output != NULL)
		return;
	if (style->format != DETECTIONS_UNSET)
		cmd_usage("--format is of the records, which --draw=- leaves "
		    "out; -o FILE writes them, too");
	style->output = "/dev/null";
}

/* Whatever it dies of: what was found is a document all the same. */
static struct detector *unfinished;

static void
end_early(void)
{
	cmd_close_model();
	detection_writer_end_early(&unfinished->decoder.writer);
}

/* ---- The model --------------------------------------------------------- */

static void
open_model(struct detector *d)
{
	char *path = cmd_model_path(d->model);
	struct prep_recipe recipe;
	const struct npu_tensor *in, *out;
	struct npu_err err;
	struct prep *prep;

	d->preprocess.model = path;
	d->preprocess.preset = "yolo";
	d->preprocess.model_alone = true;
	preprocess_resolve(&d->preprocess, &recipe);
	if (prep_open(&prep, &recipe, &err) < 0)
		cmd_die_err(path, &err);
	preprocess_note_clipped(prep);
	d->images.spec.prep = prep;
	/* While no model is loaded, a signal ends the wait for a --names.
	 * What is written goes where the library's words do not. */
	cmd_claim_stdout();
	decode_begin(&d->decoder, path);
	d->npu = cmd_open_model(path);
	unfinished = d;
	cmd_at_exit = end_early;
	in = &prep_recipe(prep)->tensor;
	out = npu_output(d->npu, 0);
	if (npu_inputs(d->npu) != 1 || npu_outputs(d->npu) != 1)
		cmd_die("%s: %u inputs and %u outputs; a detector of YOLOv8's "
		    "kind has one of each", path, npu_inputs(d->npu),
		    npu_outputs(d->npu));
	if (npu_input_size(d->npu) != in->size)
		cmd_die("%s: the library says that its input has %" PRIu64
		    " bytes, the file %" PRIu64, path,
		    npu_input_size(d->npu), in->size);
	if (out->ndim == 0)
		cmd_die("%s: does not tell the shape of its output; "
		    "'yolo-decode --shape=84,8400' takes what npu-run makes of "
		    "pictures from 'img-tensor -m %s'", path, path);
	if (decode_prepare(&d->decoder, out, path, &err) < 0)
		cmd_die("%s: %s", path, err.msg);
	free(path);
}

/* ---- A picture --------------------------------------------------------- */

static void
put_found(struct detector *d, struct preprocessed *p, const void *answer,
    struct detected_picture *record)
{
	uint64_t begin = clock_ns();

	record->width = p->geometry.width;
	record->height = p->geometry.height;
	record->found = decode_find(&d->decoder, answer, &p->geometry,
	    p->name, &record->n);
	detection_writer_put(&d->decoder.writer, record);
	if (shown_wanted(&d->shown))
		shown_put(&d->shown, p, &d->decoder.names, record->found,
		    record->n);
	d->rest_ns += clock_ns() - begin;
}

static void
put(void *arg, struct preprocessed *p, const void *answer)
{
	struct detector *d = arg;
	struct detected_picture record = { .file = p->file,
	    .on_stdin = p->file == NULL, .frame = p->number };

	if (answer != NULL) {
		put_found(d, p, answer, &record);
	} else {
		cmd_warn("%s: %s", p->name, p->error);
		record.error = p->error;
		detection_writer_put(&d->decoder.writer, &record);
		d->failed++;
	}
	d->done++;
}

/* One at a time, so that it is as new as can be: one that is chosen while
 * another runs would only become older until its turn. */
static void
detect_latest(struct detector *d)
{
	struct latest_frame *latest = latest_frame_open(&d->pictures);
	struct picture_item item;

	while (latest_frame_next(latest, &item)) {
		picture_inference_add(&d->images, &item);
		picture_inference_drain(&d->images);
	}
	cmd_end_if_stopped();
	if (latest_frame_dropped(latest) > 0)
		cmd_note("%" PRIu64 " pictures were dropped, because newer "
		    "ones had come", latest_frame_dropped(latest));
	latest_frame_close(latest);
	pictures_close(&d->pictures);
}

/* ---- All --------------------------------------------------------------- */

static double
mean_ms(const struct detector *d, uint64_t ns)
{
	return d->done == 0 ? 0 : (double)ns / 1e6 / (double)d->done;
}

static void
print_stats(const struct detector *d, uint64_t ns)
{
	cmd_warn("%" PRIu64 " pictures in %.3f ms, %" PRIu64 " failed, %"
	    PRIu64 " objects; mean ms prepare %.3f infer %.3f rest %.3f",
	    d->done, (double)ns / 1e6, d->failed, d->decoder.writer.found,
	    mean_ms(d, d->images.preprocess_ns),
	    mean_ms(d, d->images.infer_ns), mean_ms(d, d->rest_ns));
}

static int
run(struct detector *d)
{
	uint64_t begin = clock_ns();
	int status;

	inference_open(&d->inference, d->npu, INFERENCE_DEPTH);
	d->images.done = put;
	d->images.arg = d;
	picture_inference_open(&d->images, &d->inference);
	if (d->drop)
		detect_latest(d);
	else
		picture_inference_all(&d->images, &d->pictures);
	picture_inference_close(&d->images);
	if (d->stats)
		print_stats(d, clock_ns() - begin);
	if (shown_wanted(&d->shown))
		shown_close(&d->shown);
	status = decode_end(&d->decoder);
	return d->failed > 0 || d->shown.failed ? EXIT_FAILED : status;
}

int
main(int argc, char *argv[])
{
	struct detector d = { .model = "yolov8n.cix",
	    .images.spec.threads = 1 };
	int c, status;

	cmd_start();
	decode_defaults(&d.decoder);
	while ((c = cmd_option(argc, argv)) != -1)
		take_option(&d, c);
	check_options(&d, argc - optind);
	cmd_device_ready();
	d.pictures.pause = d.drop ? NULL : picture_inference_drain;
	d.pictures.arg = &d.images;
	pictures_open(&d.pictures, argv + optind);
	d.images.spec.limits.max_pixels = d.pictures.max_pixels;
	d.images.spec.images = shown_wanted(&d.shown);
	open_model(&d);
	shown_open(&d.shown);
	status = run(&d);
	cmd_exit(status);
}
