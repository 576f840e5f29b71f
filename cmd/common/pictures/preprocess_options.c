// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dimensions.h"
#include "preprocess_options.h"
#include "tensor/tensor.h"
#include "tensors/value_stats.h"

enum { MOST_SIDE = 65536 };

#define CLIP_MEAN { 0.48145466f, 0.4578275f, 0.40821073f }
#define CLIP_STD { 0.26862954f, 0.26130258f, 0.27577711f }
#define IMAGENET_MEAN { 0.485f, 0.456f, 0.406f }
#define IMAGENET_STD { 0.229f, 0.224f, 0.225f }
#define GRAY { 114, 114, 114 }

/*
 * clip: openai/CLIP clip.py, _transform().  yolo: ultralytics, LetterBox.
 * imagenet: torchvision's reference, whose pictures are 256/224 of the input
 * before the crop.  hub-: the preprocessing of the vendor's model hub for the
 * same models (CIX ai_model_hub, utils).  openai-clip: the same as clip, but
 * like openai/CLIP resizes before it converts pictures to RGB, and rotates
 * none.
 */
const char *const preprocess_presets[] = { "clip", "yolo", "imagenet",
    "hub-clip", "hub-yolo", "openai-clip", NULL };
static const struct prep_recipe presets[] = {
	{ .width = 224, .height = 224, .fit = FIT_CROP,
	    .filter = FILTER_BICUBIC, .divisor = 255, .pad = GRAY,
	    .mean = CLIP_MEAN, .deviation = CLIP_STD },
	{ .width = 640, .height = 640, .fit = FIT_LETTERBOX,
	    .filter = FILTER_BILINEAR, .divisor = 255, .pad = GRAY,
	    .deviation = { 1, 1, 1 } },
	{ .width = 224, .height = 224, .fit = FIT_CROP,
	    .shorter = 256, .filter = FILTER_BILINEAR, .divisor = 255,
	    .pad = GRAY, .mean = IMAGENET_MEAN, .deviation = IMAGENET_STD },
	{ .width = 224, .height = 224, .fit = FIT_STRETCH,
	    .filter = FILTER_BILINEAR, .divisor = 255, .pad = GRAY,
	    .mean = CLIP_MEAN, .deviation = CLIP_STD },
	{ .width = 640, .height = 640, .fit = FIT_STRETCH,
	    .filter = FILTER_BILINEAR, .divisor = 255, .pad = GRAY,
	    .bgr = true, .deviation = { 1, 1, 1 } },
	{ .width = 224, .height = 224, .fit = FIT_CROP,
	    .filter = FILTER_BICUBIC, .as_stored = true, .divisor = 255,
	    .pad = GRAY, .mean = CLIP_MEAN, .deviation = CLIP_STD },
};

/* The first presets can be guessed from a model's range. */
enum { N_GUESSED = 3 };

/* Without a preset, a size and a fit must be given. */
static const struct prep_recipe plain = { .filter = FILTER_BILINEAR,
    .divisor = 255, .pad = GRAY, .deviation = { 1, 1, 1 } };

const char *const preprocess_fits[] = { "crop", "stretch", "letterbox", NULL };
const char *const preprocess_filters[] = { "box", "bilinear", "bicubic", NULL };
const char *const preprocess_orders[] = { "rgb", "bgr", NULL };
const char *const preprocess_layouts[] = { "chw", "hwc", NULL };

/* ---- Options ----------------------------------------------------------- */

/* Parses "640x480", or "640" for a square. */
void
preprocess_parse_size(const char *option, const char *arg, uint32_t *width,
    uint32_t *height)
{
	char *copy = strdup(arg), *x;

	if (copy == NULL)
		cmd_die("out of memory");
	if ((x = strchr(copy, 'x')) != NULL)
		*x++ = '\0';
	if (*copy == '\0' || (x != NULL && *x == '\0'))
		cmd_usage("%s: '%s' is not WIDTHxHEIGHT, nor one number for "
		    "both", option, arg);
	*width = (uint32_t)cmd_int(option, copy, 1, MOST_SIDE);
	*height = x == NULL ? *width :
	    (uint32_t)cmd_int(option, x, 1, MOST_SIDE);
	free(copy);
}

/* Parses one number for all channels, or three: red, green, blue. */
static void
parse_three(const char *option, const char *arg, double least, double most,
    double v[3])
{
	char *copy = strdup(arg), *rest = copy, *one;
	int n = 0;

	if (copy == NULL)
		cmd_die("out of memory");
	for (; (one = strsep(&rest, ",")) != NULL && n <= 3; n++)
		if (n < 3)
			v[n] = cmd_double(option, one, least, most);
	if (n == 1)
		v[1] = v[2] = v[0];
	else if (n != 3)
		cmd_usage("%s: '%s' is not one number, nor three for red, "
		    "green and blue", option, arg);
	free(copy);
}

static void
parse_floats(const char *option, const char *arg, double least, float to[3])
{
	double v[3];

	parse_three(option, arg, least, 1e6, v);
	for (int i = 0; i < 3; i++)
		to[i] = (float)v[i];
}

static void
parse_pad(uint8_t pad[3], const char *arg)
{
	double v[3];

	parse_three("--pad", arg, 0, 255, v);
	for (int i = 0; i < 3; i++) {
		if (v[i] != floor(v[i]))
			cmd_usage("--pad: '%s' is not whole numbers", arg);
		pad[i] = (uint8_t)v[i];
	}
}

static bool *
has(struct preprocess_options *c, int opt)
{
	return &c->has[opt - PREPROCESS_DIVISOR];
}

bool
preprocess_option(struct preprocess_options *c, int opt, const char *arg)
{
	struct prep_recipe *r = &c->recipe;

	switch (opt) {
	case PREPROCESS_DIVISOR:
		r->divisor = (float)cmd_double("--divisor", arg, 1e-6, 1e6);
		break;
	case PREPROCESS_FILTER: r->filter = (enum filter)
	    cmd_choice("--filter", arg, preprocess_filters); break;
	case PREPROCESS_FIT: r->fit = (enum fit)
	    cmd_choice("--fit", arg, preprocess_fits); break;
	case PREPROCESS_FOR: c->preset = arg; break;
	case PREPROCESS_LAYOUT: r->layout = (enum layout)
	    cmd_choice("--layout", arg, preprocess_layouts); break;
	case PREPROCESS_MEAN: parse_floats("--mean", arg, -1e6, r->mean); break;
	case PREPROCESS_ORDER:
		r->bgr = cmd_choice("--order", arg, preprocess_orders) == 1;
		break;
	case PREPROCESS_PAD: parse_pad(r->pad, arg); break;
	case PREPROCESS_SHORTER:
		r->shorter = (uint32_t)cmd_int("--shorter", arg, 1,
		    MOST_SIDE);
		break;
	case PREPROCESS_SIZE:
		preprocess_parse_size("--size", arg, &r->width, &r->height);
		break;
	case PREPROCESS_STD:
		parse_floats("--std", arg, 1e-9, r->deviation);
		break;
	default: return tensor_option(&c->tensor, opt, arg);
	}
	*has(c, opt) = true;
	return true;
}

/* ---- The model --------------------------------------------------------- */

enum { FEW_SHADES = 64 };	/* steps from black to white */

/* Prints a note if few shades remain, unless --scale without a model set the
 * scale.  The user seldom intends the default scale of 1, or the scale of a
 * model that expects other numbers. */
static bool
note_few_shades(const struct preprocess_options *o, const struct prep *p)
{
	const struct npu_tensor *t = &prep_recipe(p)->tensor;
	double range = 0, steps;
	char what[120];

	if ((o->model == NULL && o->tensor.has_scale) ||
	    npu_dtype_is_float(t->dtype))
		return false;
	for (unsigned c = 0; c < 3; c++)
		range = fmax(range, (double)prep_value(p, c, 255) -
		    (double)prep_value(p, c, 0));
	if ((steps = range / tensor_step(t)) >= FEW_SHADES)
		return false;
	npu_tensor_format(t, what, sizeof(what));
	if (o->model == NULL)
		snprintf(what, sizeof(what), "%s without --scale",
		    npu_dtype_name(t->dtype));
	cmd_note("%s: 256 shades become %.0f", what, rint(steps) + 1);
	return true;
}

/* The values for 0 and 255 suffice, because deviations are above 0. */
static void
note_clipped(const struct prep *p)
{
	const struct npu_tensor *t = &prep_recipe(p)->tensor;
	double least = INFINITY, most = -INFINITY, v, slack;
	char what[120];
	float x[2];

	if (!type_range_reals(t, x))
		return;
	for (unsigned c = 0; c < 3; c++) {
		v = (double)prep_value(p, c, 0);
		least = v < least ? v : least;
		v = (double)prep_value(p, c, 255);
		most = v > most ? v : most;
	}
	/* Models are calibrated to within about half a step. */
	slack = fmax(tensor_step(t), (most - least) / 255);
	if (least >= (double)x[0] - slack && most <= (double)x[1] + slack)
		return;
	npu_tensor_format(t, what, sizeof(what));
	cmd_note("values from %.3g to %.3g, but %s holds %.3g to %.3g: what "
	    "is beyond is clipped", least, most, what, (double)x[0],
	    (double)x[1]);
}

void
preprocess_note_losses(const struct preprocess_options *o,
    const struct prep *p)
{
	if (!note_few_shades(o, p))
		note_clipped(p);
}

static bool
near(double a, double b, double width)
{
	return fabs(a - b) <= 0.02 * width;
}

/* True if a tensor with values from x[0] to x[1] fits the values of r. */
static bool
fits_range(const struct prep_recipe *r, const float x[2])
{
	double least = INFINITY, most = -INFINITY, v;

	for (int c = 0; c < 3; c++) {
		v = -(double)r->mean[c] / (double)r->deviation[c];
		least = v < least ? v : least;
		v = (255 / (double)r->divisor - (double)r->mean[c]) /
		    (double)r->deviation[c];
		most = v > most ? v : most;
	}
	return near((double)x[0], least, most - least) &&
	    near((double)x[1], most, most - least);
}

/* Returns the preset that a model was made for: its calibration values have the
 * range of the model's input. */
static int
guess(const char *model, const struct npu_tensor *t)
{
	char what[120];
	float x[2];

	npu_tensor_format(t, what, sizeof(what));
	if (!type_range_reals(t, x))
		cmd_usage("%s takes %s, which does not say how pictures "
		    "become numbers; give --for=clip, yolo or imagenet, or "
		    "--fit and what else differs", model, what);
	for (int i = 0; i < N_GUESSED; i++) {
		if (!fits_range(&presets[i], x))
			continue;
		cmd_note("%s expects %.3g to %.3g, so pictures are prepared as "
		    "for --for=%s", model, (double)x[0], (double)x[1],
		    preprocess_presets[i]);
		return i;
	}
	cmd_usage("%s takes %s, from %.3g to %.3g, which no preset makes; say "
	    "--for=clip, yolo or imagenet, or --fit, --mean and --std", model,
	    what, (double)x[0], (double)x[1]);
}

bool
preprocess_input_shape(const struct npu_tensor *t, uint32_t *width,
    uint32_t *height, enum layout *layout)
{
	if (t->ndim != 4 || t->dim[0] != 1)
		return false;
	*layout = t->dim[1] == 3 ? LAYOUT_CHW : LAYOUT_HWC;
	*height = t->dim[*layout == LAYOUT_CHW ? 2 : 1];
	*width = t->dim[*layout == LAYOUT_CHW ? 3 : 2];
	return t->dim[1] == 3 || t->dim[3] == 3;
}

/* Refuses models that do not take pictures before reporting missing options. */
static void
need_picture(const struct preprocess_options *c, const struct npu_tensor *t)
{
	uint32_t width, height;
	enum layout layout;
	char what[120];

	npu_tensor_format(t, what, sizeof(what));
	if (t->ndim != 0 && !preprocess_input_shape(t, &width, &height,
	    &layout))
		cmd_die("%s: takes %s, and not one picture of three channels",
		    c->model, what);
}

static void
apply_model_shape(struct preprocess_options *c, struct prep_recipe *r)
{
	const struct npu_tensor *t = &r->tensor;
	uint32_t width = r->width, height = r->height;
	enum layout layout = r->layout;
	char what[120];

	npu_tensor_format(t, what, sizeof(what));
	if (t->ndim == 0 && t->size == (uint64_t)3 * r->width * r->height *
	    npu_dtype_size(t->dtype))
		return;
	if (t->ndim == 0 && c->model_alone)
		cmd_die("%s: does not state the shape of its input, %s; "
		    "'npu-run %s' runs it on what 'img-tensor --size=WxH "
		    "-m %s' makes", c->model, what, c->model, c->model);
	if (t->ndim == 0)
		cmd_usage("%s does not state the shape of its input, %s; give "
		    "--size", c->model, what);
	preprocess_input_shape(t, &width, &height, &layout);
	if (*has(c, PREPROCESS_SIZE) && (r->width != width ||
	    r->height != height))
		cmd_usage("--size: %s takes %s", c->model, what);
	if (*has(c, PREPROCESS_LAYOUT) && r->layout != layout)
		cmd_usage("--layout: %s takes %s", c->model, what);
	r->width = width;
	r->height = height;
	r->layout = layout;
}

static void
read_model_input(struct preprocess_options *c, struct npu_tensor *t)
{
	const struct tensor_options *p = &c->tensor;
	struct npu_tensor *all;
	uint16_t n;
	int chosen;

	if (p->has_type || p->has_scale || p->has_zero)
		cmd_usage("--model says type, scale and zero point; leave "
		    "--type, --scale and --zero out");
	all = tensors_of_model(c->model, false, &n, &chosen);
	*t = *all;
	free(all);
	if (n > 1 && c->model_alone)
		cmd_die("%s: has %u inputs, and a picture is one", c->model, n);
	if (n > 1)
		cmd_usage("--model: %s has %u inputs; name one, as in %s:in0",
		    c->model, n, c->model);
	need_picture(c, t);
}

/* Sets the tensor that the options describe; f32 by default. */
static void
tensor_by_hand(const struct tensor_options *p, struct npu_tensor *t)
{
	struct tensor_options all = *p;

	if (!all.has_type)
		all.dtype = NPU_F32;
	all.has_type = true;
	tensor_from_options(&all, t);
}

/* ---- The recipe -------------------------------------------------------- */

/* Applies the options that set single values. */
static void
overlay(struct preprocess_options *c, struct prep_recipe *r)
{
	const struct prep_recipe *s = &c->recipe;

	if (*has(c, PREPROCESS_DIVISOR))
		r->divisor = s->divisor;
	if (*has(c, PREPROCESS_FILTER))
		r->filter = s->filter;
	if (*has(c, PREPROCESS_FIT))
		r->fit = s->fit;
	if (*has(c, PREPROCESS_LAYOUT))
		r->layout = s->layout;
	if (*has(c, PREPROCESS_MEAN))
		memcpy(r->mean, s->mean, sizeof(r->mean));
	if (*has(c, PREPROCESS_ORDER))
		r->bgr = s->bgr;
	if (*has(c, PREPROCESS_PAD))
		memcpy(r->pad, s->pad, sizeof(r->pad));
	if (*has(c, PREPROCESS_STD))
		memcpy(r->deviation, s->deviation, sizeof(r->deviation));
	if (*has(c, PREPROCESS_SIZE)) {
		r->width = s->width;
		r->height = s->height;
	}
}

/* Sets the shorter side before the crop: from the option, or in the preset's
 * proportion. */
static void
resolve_shorter(struct preprocess_options *c, struct prep_recipe *r,
    uint32_t preset_width)
{
	uint32_t side = r->width > r->height ? r->width : r->height;

	if (*has(c, PREPROCESS_SHORTER) && r->fit != FIT_CROP)
		cmd_usage("--shorter is for --fit=crop");
	if (*has(c, PREPROCESS_SHORTER))
		r->shorter = c->recipe.shorter;
	else if (r->fit != FIT_CROP)
		r->shorter = 0;
	else if (r->shorter != 0)
		r->shorter = (uint32_t)((uint64_t)side * r->shorter /
		    preset_width);
}

void
preprocess_resolve(struct preprocess_options *c, struct prep_recipe *r)
{
	int preset = -1;
	struct npu_tensor t = { .dtype = NPU_F32, .scale = 1 };

	if (c->preset != NULL)
		preset = cmd_choice("--for", c->preset, preprocess_presets);
	cmd_check_dims(c->model);
	if (c->model != NULL)
		read_model_input(c, &t);
	else if (c->tensor.has_type || c->tensor.has_scale ||
	    c->tensor.has_zero)
		tensor_by_hand(&c->tensor, &t);
	if (preset < 0 && !*has(c, PREPROCESS_FIT) && c->model == NULL)
		cmd_usage("say what the tensors are for: --model=MODEL, "
		    "--for=clip, yolo or imagenet, or --fit and --size");
	if (preset < 0 && !*has(c, PREPROCESS_FIT)) {
		preset = guess(c->model, &t);
		c->guessed = true;
	}
	*r = preset >= 0 ? presets[preset] : plain;
	c->preset = preset >= 0 ? preprocess_presets[preset] : NULL;
	overlay(c, r);
	r->tensor = t;
	if (c->model != NULL)
		apply_model_shape(c, r);
	if (r->width == 0)
		cmd_usage("say the size of the tensors with --size=WxH");
	resolve_shorter(c, r, preset >= 0 ? presets[preset].width : 1);
}
