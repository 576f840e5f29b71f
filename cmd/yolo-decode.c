// SPDX-License-Identifier: Apache-2.0
/* yolo-decode - what a detector answered, as objects on pictures. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "detections/decode.h"
#include "pictures/pictures.h"
#include "pictures/preprocess_options.h"
#include "tensor/tensor.h"
#include "tensors/tensor_spec.h"

enum { OPT_IMAGE = 256, OPT_IMAGE_SIZE, OPT_SIZE };

/* Bytes of a tensor; one of 8400 boxes and 80 classes has 1.4 million. */
#define MAX_TENSOR ((uint64_t)1 << 30)

static const struct opt options[] = {
	TAKES(OPT_IMAGE, "image", "=PICTURE", COMPLETE_PICTURE,
	    "the picture of the next tensor, of which only the size is read; "
	    "once for each"),
	TAKES(OPT_IMAGE_SIZE, "image-size", "=WxH", COMPLETE_NONE,
	    "the size of all pictures; none is read"),
	PICTURES_OPTIONS,
	TAKES(OPT_SIZE, "size", "=WxH", COMPLETE_NONE,
	    "pixels of the model's input (default: as --model has it, or the "
	    "number of boxes)"),
	TAKES('m', "model", "=MODEL[:out0]", COMPLETE_MODEL,
	    "type, shape, scale and zero point, the input's size and names as "
	    "MODEL has them"),
	TENSOR_OPTIONS("by hand: f16, f32, bf16, s8, u8, s16, u16",
	    "by hand: 84,8400",
	    "by hand: steps per unit (default 1)",
	    "by hand: zero point, steps (default 0)"),
	DECODE_OPTIONS,
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_MODEL_ENV,
	{ "NPU_TWIN", "the model's ONNX file, which has its class names" },
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
	"Reads what a YOLOv8 model answered, a tensor a picture, from FILEs\n"
	"or standard input, and writes the objects: class, confidence, box in\n"
	"pixels of the picture.\n",
	.options = options,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
	.env = env,
};

struct job {
	struct detection_decoder decoder;
	struct tensor_spec spec;
	struct pictures pictures;
	char *model, *path, *output;	/* of -m; owned */
	char **image;			/* --image, ends with NULL; owned */
	size_t n_images;
	uint32_t width, height;		/* --image-size; 0: not said */
	uint32_t in_width, in_height;	/* of the model's input; 0: not known */

	char **file;			/* those left to read; NULL last */
	bool lone;			/* none was named: stdin is */
	struct stream s;
	bool open;			/* s is */
	uint64_t before;		/* frames of the files before */
	uint64_t frames;		/* read so far */
	struct npu_tensor tensor;	/* the one at hand */
	struct buf data;
	bool failed;
	struct npu_err err;		/* code 0: the input was good so far */
};

/* ---- What was said ---------------------------------------------------- */

static void
take_option(struct job *j, int opt)
{
	switch (opt) {
	case 'm': j->spec.model = optarg; break;
	case OPT_IMAGE: j->image[j->n_images++] = optarg; break;
	case OPT_IMAGE_SIZE:
		preprocess_parse_size("--image-size", optarg, &j->width,
		    &j->height);
		break;
	case OPT_SIZE:
		preprocess_parse_size("--size", optarg, &j->in_width,
		    &j->in_height);
		break;
	default:
		if (!decode_option(&j->decoder, opt, optarg) &&
		    !pictures_option(&j->pictures, opt, optarg))
			tensor_option(&j->spec.options, opt, optarg);
	}
}

static bool
has_list(const struct job *j)
{
	return j->pictures.files_from != NULL || j->pictures.null;
}

/* Standard input has the tensors unless files do. */
static void
check_stdin(const struct job *j)
{
	const char *list = j->pictures.files_from;
	bool pictures = has_list(j) && (list == NULL || strcmp(list, "-") == 0);
	bool tensors = j->lone;

	for (size_t i = 0; i < j->n_images; i++)
		pictures |= j->width == 0 && strcmp(j->image[i], "-") == 0;
	for (char **f = j->file; *f != NULL; f++)
		tensors |= strcmp(*f, "-") == 0;
	if (pictures && tensors)
		cmd_usage("stdin has the tensors, so the pictures must be "
		    "named by file");
}

static void
check_job(struct job *j)
{
	const struct pictures *p = &j->pictures;

	if (j->n_images == 0 && !has_list(j) && j->width == 0)
		cmd_usage("say which picture it is with --image=PICTURE, or "
		    "how large with --image-size=WxH");
	if (j->n_images == 0 && !has_list(j) && (p->recursive || p->streams))
		cmd_usage("--recursive and --stream are about --image");
	if (j->spec.model != NULL && (j->spec.options.has_type ||
	    j->spec.options.has_shape || j->spec.options.has_scale ||
	    j->spec.options.has_zero))
		cmd_usage("--model says type, shape, scale and zero point; "
		    "leave --type, --shape, --scale and --zero out");
	check_stdin(j);
	j->decoder.style.several = j->n_images != 1 || has_list(j) ||
	    p->recursive || p->streams;
}

/* The sides of the model's input, if its shape has them. */
static void
ask_size(struct job *j, const char *path)
{
	struct npu_tensor *in;
	enum layout layout;
	uint32_t width, height;
	uint16_t n;
	bool chosen, known;

	in = tensors_of_model(path, false, &n, &chosen);
	known = n == 1 && preprocess_input_shape(in, &width, &height, &layout);
	free(in);
	if (!known)
		return;
	if (j->in_width != 0 && (j->in_width != width ||
	    j->in_height != height))
		cmd_usage("--size: %s takes %ux%u", path, width, height);
	j->in_width = width;
	j->in_height = height;
}

/* The model is sought once, and asked for output, input and names. */
static void
ask_model(struct job *j)
{
	struct npu_err err;
	char *which;

	j->model = cmd_copy(j->spec.model);
	which = tensor_split_name(j->model);
	j->path = cmd_model_path(j->model);
	j->output = which == NULL ? cmd_copy(j->path) :
	    cmd_text("%s:%s", j->path, which);
	j->spec.model = j->output;
	tensor_spec_resolve(&j->spec, true, false);
	ask_size(j, j->path);
	decode_begin(&j->decoder, j->path);
	if (j->spec.n == 1 && j->spec.tensors->ndim != 0 && decode_prepare(
	    &j->decoder, j->spec.tensors, j->output, &err) < 0)
		cmd_die("%s: %s", j->output, err.msg);
}

/* ---- Tensors ---------------------------------------------------------- */

/* On to the next file, if there is one. */
static bool
open_next(struct job *j)
{
	if (j->open)
		stream_close(&j->s);
	j->open = false;
	if (!j->lone && *j->file == NULL)
		return false;
	stream_open(&j->s, j->lone ? NULL : *j->file++);
	j->lone = false;
	j->open = true;
	if (j->spec.n > 0)
		stream_frames(&j->s, j->spec.tensors, j->spec.n);
	return true;
}

/* What the tensor at hand is, and whether it can be read. */
static int
describe(struct job *j, struct npu_err *err)
{
	int rc;

	j->tensor = j->s.label.tensor;
	if (j->s.label.count != 1)
		return npu_fail(err, NPU_EFORMAT, "%u tensors a frame; choose "
		    "one with npu-tensor -i", j->s.label.count);
	if ((rc = tensor_spec_complete(&j->spec, &j->s, &j->tensor, err)) < 0)
		return rc;
	if (j->tensor.size > MAX_TENSOR)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu64 " bytes, more "
		    "than the limit of %" PRIu64, j->tensor.size, MAX_TENSOR);
	return 0;
}

static const char *
place(const struct job *j)
{
	static char text[400];

	snprintf(text, sizeof(text), "%.300s: frame %" PRIu64, j->s.name,
	    j->s.frame);
	return text;
}

/* The next tensor to j->data: 1, or 0 at the end of all files, or negative. */
static int
read_tensor(struct job *j, struct npu_err *err)
{
	int rc = 0;

	while (!j->open || (rc = stream_next(&j->s, err)) == 0)
		if (!open_next(j))
			return 0;
	if (rc < 0)
		return rc;
	/* Its shape bounds memory, before the bytes are read. */
	if ((rc = describe(j, err)) < 0 || (rc = decode_prepare(&j->decoder,
	    &j->tensor, place(j), err)) < 0)
		return npu_prefix(err, rc, "frame %" PRIu64, j->s.frame);
	buf_clear(&j->data);
	return (rc = stream_whole(&j->s, &j->data, err)) < 0 ? rc : 1;
}

/* True when there is one; what is wrong is said once. */
static bool
next_tensor(struct job *j)
{
	int rc;

	if (j->err.code != 0)
		return false;
	rc = read_tensor(j, &j->err);
	if (rc < 0) {
		cmd_warn("%s: %s", j->s.name, j->err.msg);
		j->failed = true;
	} else {
		j->err.code = 0;
	}
	j->frames += rc > 0;
	return rc > 0;
}

/* ---- Pictures --------------------------------------------------------- */

/* Upright. */
static int
read_size(const struct job *j, const struct picture_item *item,
    struct detected_picture *p, struct npu_err *err)
{
	const struct picture_info *info;
	struct picture_input in;
	struct picture *picture;
	int rc;

	if ((rc = picture_input(&in, item->path, item->bytes, err)) < 0)
		return rc;
	rc = picture_open(&picture, in.source, j->pictures.max_pixels, err);
	if (rc == 0) {
		info = picture_info(picture);
		p->width = info->orientation > 4 ? info->height : info->width;
		p->height = info->orientation > 4 ? info->width : info->height;
		picture_close(picture);
	}
	picture_input_close(&in);
	return rc;
}

/* The tensor at hand, of a picture whose size is known. */
static void
decode(struct job *j, struct detected_picture *p)
{
	uint32_t side = 0;
	struct geometry g;

	if (j->in_width == 0 &&
	    (side = decode_input_side(j->decoder.shape.boxes)) == 0)
		cmd_usage("%s: %u boxes do not tell the size of the model's "
		    "input; say it with --size=WxH or --model", place(j),
		    j->decoder.shape.boxes);
	geometry_fit(&g, j->decoder.fit, p->width, p->height,
	    side != 0 ? side : j->in_width, side != 0 ? side : j->in_height);
	p->found = decode_find(&j->decoder, j->data.p, &g, place(j),
	    &p->n);
}

/* One picture and its tensor, if both are good. */
static void
one_picture(struct job *j, const struct picture_item *item)
{
	struct detected_picture p = { .file = picture_item_file(item),
	    .on_stdin = item->unnamed, .frame = item->number,
	    .width = j->width, .height = j->height, .error = item->error };
	bool have = next_tensor(j);
	struct npu_err err;
	char *name;

	if (have && p.error == NULL && j->width == 0 &&
	    read_size(j, item, &p, &err) < 0)
		p.error = err.msg;
	if (have && p.error != NULL) {
		name = picture_item_name(item);
		cmd_warn("%s: %s", name, p.error);
		free(name);
		j->failed = true;
	}
	if (!have)
		p.error = j->err.code != 0 ? j->err.msg : "no tensor for it";
	if (p.error == NULL)
		decode(j, &p);
	else
		p.width = p.height = 0;
	detection_writer_put(&j->decoder.writer, &p);
}

static void
all_pictures(struct job *j)
{
	struct picture_item item;
	uint64_t pictures = 0;

	pictures_open(&j->pictures, j->image);
	for (; pictures_next(&j->pictures, &item); pictures++)
		one_picture(j, &item);
	pictures_close(&j->pictures);
	if (j->err.code == 0 && j->frames < pictures) {
		cmd_warn("%s: ends after frame %" PRIu64 ", but pictures were "
		    "named: %" PRIu64, j->s.name, j->frames, pictures);
		j->failed = true;
	} else if (next_tensor(j)) {
		cmd_warn("%s has no picture; pictures named: %" PRIu64,
		    place(j), pictures);
		j->failed = true;
	}
}

/* --image-size alone: as many as there are tensors. */
static void
all_tensors(struct job *j)
{
	while (next_tensor(j)) {
		struct detected_picture p = { .frame = j->frames,
		    .width = j->width, .height = j->height };

		decode(j, &p);
		detection_writer_put(&j->decoder.writer, &p);
	}
}

static struct job j;

/* Whatever it dies of: what was found is a document all the same. */
static void
end_early(void)
{
	detection_writer_end_early(&j.decoder.writer);
}

int
main(int argc, char *argv[])
{
	int opt, status;

	cmd_start();
	decode_defaults(&j.decoder);
	j.image = cmd_alloc(((size_t)argc + 1) * sizeof(*j.image));
	while ((opt = cmd_option(argc, argv)) != -1)
		take_option(&j, opt);
	j.file = argv + optind;
	j.lone = *j.file == NULL;
	check_job(&j);
	if (j.spec.model != NULL) {
		ask_model(&j);
	} else {
		tensor_spec_resolve(&j.spec, true, false);
		decode_begin(&j.decoder, NULL);
	}
	cmd_at_exit = end_early;
	if (j.n_images > 0 || has_list(&j))
		all_pictures(&j);
	else
		all_tensors(&j);
	if (j.open)
		stream_close(&j.s);
	status = decode_end(&j.decoder);
	buf_free(&j.data);
	tensor_spec_free(&j.spec);
	free(j.image);
	free(j.model);
	free(j.path);
	free(j.output);
	cmd_exit(j.failed ? EXIT_FAILED : status);
}
