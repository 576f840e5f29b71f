// SPDX-License-Identifier: Apache-2.0
/* yolo-decode - convert a detector's output tensors to objects in pictures. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "base/err.h"
#include "detections/decode.h"
#include "dimensions.h"
#include "pictures/pictures.h"
#include "pictures/preprocess_options.h"
#include "progress.h"
#include "tensor/tensor.h"
#include "tensors/tensor_spec.h"

enum { OPT_IMAGE = 256, OPT_IMAGE_SIZE, OPT_SIZE };

static const struct opt options[] = {
	TAKES(OPT_IMAGE, "image", "=PICTURE", COMPLETE_PICTURE,
	    "the picture of the next tensor; once for each tensor; only the "
	    "size of the picture is read"),
	TAKES(OPT_IMAGE_SIZE, "image-size", "=WxH", COMPLETE_NONE,
	    "the size of all pictures, which are then not read"),
	PICTURES_OPTIONS,
	TAKES(OPT_SIZE, "size", "=WxH", COMPLETE_NONE,
	    "pixels of the model's input (default: from --model, or from the "
	    "number of boxes)"),
	TAKES('m', "model", "=MODEL[:out0]", COMPLETE_MODEL,
	    "take type, shape, scale, zero point, the input's size and class "
	    "names from MODEL"),
	TENSOR_OPTIONS("without -m: f16, f32, bf16, s8, u8, s16, u16",
	    "without -m: such as 84,8400",
	    "without -m: steps per unit (default 1)",
	    "without -m: zero point, steps (default 0)"),
	PROGRESS_OPTIONS,
	DECODE_OPTIONS,
	CMD_DIM_OPTION,
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_MODEL_ENV,
	{ "NPU_TWIN", "the model's ONNX file, which has its class names" },
	{ 0 },
};

static const struct moved moved[] = {
	{ "--max", "--count", NULL },
	{ "--layout", "--first", "chw or hwc" },
	{ 0 },
};

const struct program program = {
	.name = "yolo-decode",
	.synopsis = "yolo-decode [OPTION]... --image=PICTURE... [FILE]...",
	.examples =
	"  img-tensor -m yolov8n.cix bus.jpg | npu-run yolov8n.cix |\n"
	"      yolo-decode --image=bus.jpg\n"
	"  yolo-decode -t f16 --shape=84,8400 --image-size=1920x1080 <bytes\n",
	.help =
	"Reads the output tensors of a YOLOv8 model, one for each picture,\n"
	"from FILEs or standard input, and writes the objects: class,\n"
	"confidence, and box in pixels of the picture.\n",
	.options = options,
	.moved = moved,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
	.env = env,
};

/* ---- Options ---------------------------------------------------------- */

struct yolo_decode_options {
	/* Each parses its own options and performs its part of the work. */
	struct detection_decoder decoder;
	struct tensor_spec spec;
	struct pictures pictures;
	char **image;			/* --image, ends with NULL; owned */
	size_t n_images;
	uint32_t width, height;		/* --image-size; 0: not given */
	uint32_t in_width, in_height;	/* --size; 0: not given */
	char **file;			/* operands; NULL last */
};

static void
parse_option(struct yolo_decode_options *o, int opt)
{
	if (cmd_dim_option(opt, optarg) || progress_option(opt, optarg))
		return;
	switch (opt) {
	case 'm': o->spec.model = optarg; break;
	case OPT_IMAGE: o->image[o->n_images++] = optarg; break;
	case OPT_IMAGE_SIZE:
		preprocess_parse_size("--image-size", optarg, &o->width,
		    &o->height);
		break;
	case OPT_SIZE:
		preprocess_parse_size("--size", optarg, &o->in_width,
		    &o->in_height);
		break;
	default:
		if (!decode_option(&o->decoder, opt, optarg) &&
		    !pictures_option(&o->pictures, opt, optarg))
			tensor_option(&o->spec.options, opt, optarg);
	}
}

static bool
has_list(const struct yolo_decode_options *o)
{
	return o->pictures.files_from != NULL || o->pictures.null;
}

/* Refuses stdin for both the tensors and the pictures.  Tensors are read from
 * stdin unless files are named. */
static void
check_stdin(const struct yolo_decode_options *o)
{
	const char *list = o->pictures.files_from;
	bool pictures = has_list(o) && (list == NULL || strcmp(list, "-") == 0);
	bool tensors = *o->file == NULL;

	for (size_t i = 0; i < o->n_images; i++)
		pictures |= o->width == 0 && strcmp(o->image[i], "-") == 0;
	for (char **f = o->file; *f != NULL; f++)
		tensors |= strcmp(*f, "-") == 0;
	if (pictures && tensors)
		cmd_usage("stdin has the tensors, so the pictures must be "
		    "named by file");
	if (pictures)
		cmd_name_input("-");
	cmd_name_operands(o->file);
	cmd_name_input(o->decoder.names_file);
	cmd_name_input(o->decoder.style.image_ids);
}

static void
check_options(struct yolo_decode_options *o)
{
	const struct pictures *p = &o->pictures;

	if (o->n_images == 0 && !has_list(o) && o->width == 0)
		cmd_usage("no picture given; name it with --image=PICTURE, or "
		    "give its size with --image-size=WxH");
	if (o->n_images == 0 && !has_list(o) && (p->recursive || p->streams))
		cmd_usage("--recursive and --stream need --image");
	if (o->spec.model != NULL && (o->spec.options.has_type ||
	    o->spec.options.has_shape || o->spec.options.has_scale ||
	    o->spec.options.has_zero))
		cmd_usage("--model has type, shape, scale and zero point; "
		    "leave --type, --shape, --scale and --zero out");
	check_stdin(o);
	output_naming_check(&o->decoder.style.naming,
	    o->decoder.style.format == DETECTIONS_YOLO);
	o->decoder.style.several = o->n_images != 1 || has_list(o) ||
	    p->recursive || p->streams;
}

static void
read_options(struct yolo_decode_options *o, int argc, char *argv[])
{
	int opt;

	decode_defaults(&o->decoder);
	o->spec.ones_fit = true;
	o->image = cmd_alloc(((size_t)argc + 1) * sizeof(*o->image));
	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	o->file = argv + optind;
	check_options(o);
}

/* ---- The model -------------------------------------------------------- */

struct yolo_decode {
	struct yolo_decode_options *o;
	char *model, *path, *output;	/* from --model; owned */
	uint32_t in_width, in_height;	/* the model's input; 0: unknown */

	struct answers answers;
	bool failed;
};

/* Gets the width and height of the model's input, if its shape has them. */
static void
read_input_size(struct yolo_decode *d, const char *path)
{
	struct npu_tensor *in;
	enum layout layout;
	uint32_t width, height;
	uint16_t n;
	int chosen;
	bool known;

	in = tensors_of_model(path, false, &n, &chosen);
	known = n == 1 && preprocess_input_shape(in, &width, &height, &layout);
	free(in);
	if (!known)
		return;
	if (d->in_width != 0 && (d->in_width != width ||
	    d->in_height != height))
		cmd_usage("--size: %s takes %ux%u", path, width, height);
	d->in_width = width;
	d->in_height = height;
}

/* Finds the model file, and gets the output's description, the size of the
 * input and the class names from it. */
static void
read_model(struct yolo_decode *d)
{
	struct npu_err err;
	char *which;

	d->model = cmd_copy(d->o->spec.model);
	which = tensor_split_name(d->model);
	d->path = cmd_model_path(d->model);
	d->output = which == NULL ? cmd_copy(d->path) :
	    cmd_text("%s:%s", d->path, which);
	d->o->spec.model = d->output;
	tensor_spec_resolve(&d->o->spec, true, false);
	read_input_size(d, d->path);
	decode_begin(&d->o->decoder, d->path);
	if (d->o->spec.n == 1 && d->o->spec.tensors->ndim != 0 &&
	    decode_prepare(&d->o->decoder, d->o->spec.tensors, d->output,
	    &err) < 0)
		cmd_die("%s: %s", d->output, err.msg);
}

/* Gets the description of the tensors from the model or from the options. */
static void
describe_tensors(struct yolo_decode *d)
{
	if (d->o->spec.model != NULL) {
		read_model(d);
	} else {
		tensor_spec_resolve(&d->o->spec, true, false);
		decode_begin(&d->o->decoder, NULL);
	}
}

/* ---- Pictures --------------------------------------------------------- */

/* Gets the size of the picture after it is turned upright as EXIF says. */
static int
read_size(const struct yolo_decode *d, const struct picture_item *item,
    struct detected_picture *p, struct npu_err *err)
{
	const struct picture_info *info;
	struct picture_input in;
	struct picture *picture;
	int rc;

	if ((rc = picture_input(&in, item->path, item->bytes, err)) < 0)
		return rc;
	rc = picture_open(&picture, in.source, d->o->pictures.max_pixels, err);
	if (rc == 0) {
		info = picture_info(picture);
		p->width = info->orientation > 4 ? info->height : info->width;
		p->height = info->orientation > 4 ? info->width : info->height;
		picture_close(picture);
	}
	picture_input_close(&in);
	return rc;
}

/* Dies because the size of the model's input is unknown.  decode_check() dies
 * first if the tensor is not a detector's output, where --size would not
 * help. */
static _Noreturn void
refuse_unknown_size(const struct yolo_decode *d)
{
	const char *place = answers_name(&d->answers);

	decode_check(&d->o->decoder, d->answers.data.p, place);
	cmd_usage("%s: %u boxes do not determine the size of the model's "
	    "input; give --size=WxH or --model", place,
	    d->o->decoder.shape.boxes);
}

/* Decodes the current tensor for a picture whose size is known. */
static void
decode(struct yolo_decode *d, struct detected_picture *p)
{
	uint32_t side = 0;
	struct geometry g;

	if (d->in_width == 0 &&
	    (side = decode_input_side(d->o->decoder.shape.boxes)) == 0)
		refuse_unknown_size(d);
	geometry_fit(&g, d->o->decoder.fit, p->width, p->height,
	    side != 0 ? side : d->in_width, side != 0 ? side : d->in_height);
	p->found = decode_tensor(&d->o->decoder, d->answers.data.p, &g,
	    answers_name(&d->answers), &p->n);
}

/* Reads the next tensor, and writes the objects of a picture, or a record with
 * the error if the picture or the tensor cannot be used. */
static void
decode_picture(struct yolo_decode *d, const struct picture_item *item)
{
	struct detected_picture p = { .file = picture_item_file(item),
	    .on_stdin = item->unnamed, .frame = item->number,
	    .width = d->o->width, .height = d->o->height,
	    .error = item->error };
	bool have = answers_next(&d->answers);
	struct npu_err err;
	char *name;

	if (have && p.error == NULL && d->o->width == 0 &&
	    read_size(d, item, &p, &err) < 0)
		p.error = err.msg;
	if (have && p.error != NULL) {
		name = picture_item_name(item);
		cmd_warn("%s: %s", name, p.error);
		free(name);
		d->failed = true;
	}
	if (!have)
		p.error = d->answers.err.code != 0 ? d->answers.err.msg :
		    "no tensor for this picture";
	if (p.error == NULL)
		decode(d, &p);
	else
		p.width = p.height = 0;
	detection_writer_put(&d->o->decoder.writer, &p);
}

/* Notes a failure that does not belong to a picture: a JSON document includes
 * the last message. */
static void
fail_without_picture(struct yolo_decode *d)
{
	detection_writer_fail(&d->o->decoder.writer, EXIT_FAILED);
	d->failed = true;
}

/* After the last picture: reports a tensor that is left over, or a bad file. */
static void
check_end(struct yolo_decode *d, uint64_t pictures)
{
	if (answers_next(&d->answers))
		cmd_warn("%s has no picture; pictures named: %" PRIu64,
		    answers_name(&d->answers), pictures);
	else if (d->answers.err.code == 0)
		return;
	fail_without_picture(d);
}

static void
decode_pictures(struct yolo_decode *d)
{
	const bool several = d->o->file[0] != NULL && d->o->file[1] != NULL;
	const struct answers *a = &d->answers;
	struct picture_item item;
	uint64_t pictures = 0;

	pictures_open(&d->o->pictures, d->o->image);
	if (progress_wanted())
		progress_total(pictures_count(&d->o->pictures));
	for (; pictures_next(&d->o->pictures, &item); pictures++) {
		decode_picture(d, &item);
		progress_update(pictures + 1);
	}
	pictures_close(&d->o->pictures);
	if (a->err.code == 0 && a->frames < pictures) {
		/* a->frames counts the frames of all files, so the name of a
		 * file appears only if there is a single file. */
		cmd_warn("%s%s after frame %" PRIu64 ", but pictures were "
		    "named: %" PRIu64, several ? "all files" : a->s.name,
		    several ? ": they end" : ": ends", a->frames, pictures);
		d->failed = true;
	} else if (a->err.code == 0) {
		check_end(d, pictures);
	}
}

/* With --image-size alone: there is a picture for each tensor. */
static void
decode_tensors(struct yolo_decode *d)
{
	while (answers_next(&d->answers)) {
		struct detected_picture p = { .frame = d->answers.frames,
		    .width = d->o->width, .height = d->o->height };

		decode(d, &p);
		detection_writer_put(&d->o->decoder.writer, &p);
		progress_update(p.frame);
	}
	if (d->answers.err.code != 0)
		fail_without_picture(d);
}

/* ---- Start and end ---------------------------------------------------- */

/* Called at exit: if the program ends early, completes the document with the
 * objects found so far. */
static void
end_early(void *writer)
{
	detection_writer_end_early(writer);
}

static void
free_all(struct yolo_decode *d)
{
	tensor_spec_free(&d->o->spec);
	free(d->o->image);
	free(d->model);
	free(d->path);
	free(d->output);
}

int
main(int argc, char *argv[])
{
	static struct yolo_decode_options o;
	static struct yolo_decode d = { .o = &o };
	int status;

	cmd_start();
	read_options(&o, argc, argv);
	d.in_width = o.in_width;
	d.in_height = o.in_height;
	answers_open(&d.answers, o.file, &o.spec, &o.decoder);
	cmd_on_exit(end_early, &o.decoder.writer);
	decode_open(&o.decoder);
	describe_tensors(&d);
	progress_begin("pictures", 0);
	if (o.n_images > 0 || has_list(&o))
		decode_pictures(&d);
	else
		decode_tensors(&d);
	progress_end();
	answers_close(&d.answers);
	status = decode_end(&o.decoder);
	free_all(&d);
	cmd_exit(d.failed || d.answers.err.code != 0 ? EXIT_FAILED : status);
}
