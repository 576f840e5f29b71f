// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "image/kernels/pass.h"
#include "image/modes.h"
#include "image/nearest.h"
#include "image/picture.h"
#include "image/planes.h"
#include "image/resample.h"
#include "vision/convert.h"
#include "vision/prep.h"

enum {
	LARGEST = 65536,	/* pixels on a side of an input */
};

struct prep {
	struct prep_recipe recipe;
	struct convert convert;
	float value[3][256];	/* for red, green, blue */
};

/* ---- Open and close ---------------------------------------------------- */

static int
check(const struct prep_recipe *r, struct npu_err *err)
{
	if (r->width == 0 || r->width > LARGEST || r->height == 0 ||
	    r->height > LARGEST)
		return npu_fail(err, NPU_EUSAGE, "an input of %" PRIu32 " x %"
		    PRIu32 " pixels; sides are from 1 to %d", r->width,
		    r->height, LARGEST);
	if (r->shorter != 0 && (r->shorter < r->width ||
	    r->shorter < r->height || r->shorter > LARGEST))
		return npu_fail(err, NPU_EUSAGE, "%" PRIu32 " x %" PRIu32
		    " cannot be cut out of a picture with a side of %" PRIu32,
		    r->width, r->height, r->shorter);
	for (int c = 0; c < 3; c++)
		if (!isfinite(r->mean[c]) || !isfinite(r->deviation[c]) ||
		    r->deviation[c] <= 0)
			return npu_fail(err, NPU_EUSAGE, "mean %g, deviation "
			    "%g: the mean must be a number, the deviation "
			    "above 0",
			    (double)r->mean[c], (double)r->deviation[c]);
	return 0;
}

static void
complete_tensor(struct prep_recipe *r)
{
	struct npu_tensor *t = &r->tensor;
	bool chw = r->layout == LAYOUT_CHW;

	t->ndim = 4;
	t->dim[0] = 1;
	t->dim[1] = chw ? 3 : r->height;
	t->dim[2] = chw ? r->height : r->width;
	t->dim[3] = chw ? r->width : 3;
	t->size = (uint64_t)3 * r->width * r->height *
	    npu_dtype_size(t->dtype);
}

/* Computes ToTensor and Normalize as torchvision does, with each step rounded
 * to float. */
static float
real(const struct prep_recipe *r, int c, int v)
{
	return ((float)v / r->divisor - r->mean[c]) / r->deviation[c];
}

static int
make_convert(struct prep *p, struct npu_err *err)
{
	const struct prep_recipe *r = &p->recipe;
	size_t size = npu_dtype_size(r->tensor.dtype);
	bool chw = r->layout == LAYOUT_CHW;

	p->convert.step = chw ? size : 3 * size;
	p->convert.plane = chw ? size * r->width * r->height : size;
	for (int i = 0; i < 3; i++) {
		int c = r->bgr ? 2 - i : i;

		p->convert.channel[i] = (uint8_t)c;
		for (int v = 0; v < 256; v++) {
			p->value[c][v] = real(r, c, v);
			p->convert.x[i][v] = p->value[c][v];
		}
	}
	return convert_open(&p->convert, &r->tensor, err);
}

int
prep_open(struct prep **prep, const struct prep_recipe *recipe,
    struct npu_err *err)
{
	struct prep *p;
	int rc;

	if ((rc = check(recipe, err)) < 0)
		return rc;
	if ((p = calloc(1, sizeof(*p))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	p->recipe = *recipe;
	complete_tensor(&p->recipe);
	if ((rc = make_convert(p, err)) < 0) {
		free(p);
		return rc;
	}
	*prep = p;
	return 0;
}

const struct prep_recipe *
prep_recipe(const struct prep *p)
{
	return &p->recipe;
}

float
prep_value(const struct prep *p, unsigned c, uint8_t v)
{
	return p->value[c][v];
}

void
prep_close(struct prep *p)
{
	free(p);
}

/* ---- Pictures ---------------------------------------------------------- */

/* The part of the input that receives one picture's rows. */
struct target {
	const struct prep *prep;
	const struct geometry *g;
	uint8_t *out;
	uint32_t left, columns;		/* range of the input that the picture
					 * covers */
	uint32_t top, rows;
	bool shrunk;			/* decoded at a smaller size, so not
					 * Pillow's bytes */
	bool planes;			/* the picture comes in planes */
	enum picture_mode mode;		/* mode during the resize */
	uint8_t *line;			/* owned: room for columns converted to
					 * RGB, or NULL */
};

static uint8_t *
row_of(const struct target *t, uint64_t y)
{
	const struct prep *p = t->prep;

	return t->out + y * p->recipe.width * p->convert.step;
}

/* Converts pixels of the resized picture to RGB, at t->line. */
static void
to_rgb(const struct target *t, const uint8_t *pixels)
{
	memcpy(t->line, pixels, (size_t)t->columns * 4);
	if (t->mode == PICTURE_ALPHA) {
		modes_divide(t->line, t->columns);
	} else {
		modes_invert(t->line, t->columns);
		modes_cmyk_to_rgb(t->line, t->columns);
	}
}

static void
put_row(void *arg, uint32_t y, const uint8_t *pixels)
{
	const struct target *t = arg;
	const struct convert *c = &t->prep->convert;
	const uint8_t *pad = t->prep->recipe.pad;
	uint8_t *out = row_of(t, t->top + y);
	size_t right = t->left + t->columns;

	if (t->line != NULL) {
		to_rgb(t, pixels);
		pixels = t->line;
	}
	convert_fill(c, pad, t->left, out);
	convert_pixels(c, pixels, t->columns, out + t->left * c->step);
	convert_fill(c, pad, t->prep->recipe.width - right,
	    out + right * c->step);
}

/* Fills rows from first to last, exclusive, with padding. */
static void
pad_rows(const struct target *t, uint32_t first, uint32_t last)
{
	const struct prep_recipe *r = &t->prep->recipe;

	convert_fill(&t->prep->convert, r->pad, (size_t)(last - first) *
	    r->width, row_of(t, first));
}

void
prep_blank(const struct prep *p, void *out)
{
	pad_rows(&(struct target){ .prep = p, .out = out }, 0,
	    p->recipe.height);
}

/* Computes how a picture is fitted. */
static void
fit_picture(const struct prep_recipe *r, const struct picture_info *info,
    struct geometry *g)
{
	bool turned = info->orientation >= 5;
	uint32_t width = turned ? info->height : info->width;
	uint32_t height = turned ? info->width : info->height;

	if (r->fit == FIT_CROP && r->shorter != 0) {
		geometry_fit(g, FIT_CROP, width, height, r->shorter,
		    r->shorter);
		geometry_crop(g, r->width, r->height);
	} else {
		geometry_fit(g, r->fit, width, height, r->width, r->height);
	}
}

/* Computes the wanted part of the resized picture, and its position in the
 * input. */
static void
target_rect(struct target *t, const struct picture_info *info,
    struct resample_spec *s)
{
	const struct geometry *g = t->g;
	const struct prep_recipe *r = &t->prep->recipe;

	t->left = g->left > 0 ? (uint32_t)g->left : 0;
	t->top = g->top > 0 ? (uint32_t)g->top : 0;
	t->columns = g->to_width < r->width ? (uint32_t)g->to_width :
	    r->width;
	t->rows = g->to_height < r->height ? (uint32_t)g->to_height :
	    r->height;
	*s = (struct resample_spec){ .filter = r->filter,
	    .width = info->width, .height = info->height,
	    .orientation = info->orientation,
	    .to_width = g->to_width, .to_height = g->to_height,
	    .left = g->left < 0 ? (uint64_t)-g->left : 0,
	    .top = g->top < 0 ? (uint64_t)-g->top : 0,
	    .columns = t->columns, .rows = t->rows, .floats = t->shrunk };
}

/*
 * Decodes at a smaller size, as long as the picture stays large enough: three
 * times the size needed (12 megapixels to 224: 0.09 off on average), and six
 * times for bicubic, which keeps more of the detail that shrinking removes.
 * Instead of a picture of half the size, planes are used if possible: they have
 * no more values than the smaller picture, take little longer to decode, and
 * lose nothing.  For bicubic, however, the smaller picture is closer to
 * Pillow's result.
 */
static int
shrink(struct picture *p, struct target *t, struct npu_err *err)
{
	const struct prep_recipe *r = &t->prep->recipe;
	const struct geometry *g = t->g;
	bool bicubic = r->filter == FILTER_BICUBIC;
	unsigned by = 8, margin = bicubic ? 6 : 3;
	struct resample_spec spec;

	while (by > 1 && (g->width < margin * by * g->to_width ||
	    g->height < margin * by * g->to_height))
		by /= 2;
	if (by == 1 || picture_info(p)->format != PICTURE_JPEG)
		return 0;
	target_rect(t, picture_info(p), &spec);
	t->planes = by == 2 && !bicubic && planes_fit(&spec) &&
	    picture_planes(p);
	t->shrunk = !t->planes;
	return t->shrunk ? picture_shrink(p, by, err) : 0;
}

static int
pass_rows(struct picture *p, const struct target *t, struct resample *r,
    struct npu_err *err)
{
	unsigned most;
	uint8_t *room;
	int n;

	for (;;) {
		room = resample_room(r, &most);
		if ((n = picture_rows(p, room, most, err)) <= 0)
			return n;
		if (t->mode == PICTURE_ALPHA)
			modes_multiply(room, (size_t)n *
			    picture_info(p)->width);
		resample_add_rows(r, (unsigned)n);
	}
}

static int
pass_bands(struct picture *p, struct planes *r, struct npu_err *err)
{
	size_t stride;
	uint8_t *room;
	int n;

	for (;;) {
		room = planes_room(r, &stride);
		if ((n = picture_band(p, room, stride, err)) <= 0)
			return n;
		planes_add_band(r);
	}
}

static int
resize_rows(struct picture *p, struct target *t,
    const struct resample_spec *spec, struct npu_err *err)
{
	struct resample *r;
	int rc;

	if ((rc = resample_open(&r, spec, put_row, t, err)) < 0)
		return rc;
	rc = pass_rows(p, t, r, err);
	resample_close(r);
	return rc;
}

static int
resize_planes(struct picture *p, struct target *t,
    const struct resample_spec *spec, struct npu_err *err)
{
	struct planes *r;
	int rc;

	if ((rc = planes_open(&r, spec, put_row, t, err)) < 0)
		return rc;
	rc = pass_bands(p, r, err);
	planes_close(r);
	return rc;
}

static int
resize_nearest(struct picture *p, struct target *t,
    const struct resample_spec *spec, struct npu_err *err)
{
	struct nearest *r;
	int rc;

	if ((rc = nearest_open(&r, spec, put_row, t, err)) < 0)
		return rc;
	while ((rc = picture_rows(p, nearest_room(r), 1, err)) > 0)
		nearest_add_row(r);
	nearest_close(r);
	return rc;
}

/* Resizes in a mode that is converted to RGB afterwards. */
static int
resize_mode(struct picture *p, struct target *t,
    const struct resample_spec *spec, struct npu_err *err)
{
	int rc;

	t->line = malloc((size_t)t->columns * 4 + PASS_SLACK);
	if (t->line == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	rc = resize_rows(p, t, spec, err);
	free(t->line);
	return rc;
}

static int
resize(struct picture *p, struct target *t, struct npu_err *err)
{
	struct resample_spec spec;

	target_rect(t, picture_info(p), &spec);
	pad_rows(t, 0, t->top);
	pad_rows(t, t->top + t->rows, t->prep->recipe.height);
	if (t->mode == PICTURE_TABLE)
		return resize_nearest(p, t, &spec, err);
	if (t->mode != PICTURE_PLAIN)
		return resize_mode(p, t, &spec, err);
	return t->planes ? resize_planes(p, t, &spec, err) :
	    resize_rows(p, t, &spec, err);
}

/*
 * Decides in which mode a picture is resized, if the recipe asks for the
 * picture as stored.  Pillow multiplies by alpha only if it resizes.
 */
static int
choose_mode(struct picture *p, struct target *t, struct npu_err *err)
{
	const struct picture_info *info = picture_info(p);
	const struct geometry *g = t->g;

	if (!t->prep->recipe.as_stored)
		return 0;
	if (info->mode == PICTURE_WIDE)
		return npu_fail(err, NPU_EFORMAT, "gray of more than 8 bits: "
		    "--for=openai-clip does not take it; use --for=clip");
	if (info->mode != PICTURE_ALPHA || g->to_width != info->width ||
	    g->to_height != info->height)
		t->mode = info->mode;
	return 0;
}

int
prep_picture(const struct prep *prep, struct picture_source source,
    const struct prep_limits *limits, void *out, struct geometry *g,
    struct npu_err *err)
{
	struct target t = { .prep = prep, .g = g, .out = out };
	struct picture *p;
	int rc;

	if ((rc = picture_open(&p, source, limits->max_pixels, err)) < 0)
		return rc;
	if (prep->recipe.as_stored)
		picture_as_stored(p);
	fit_picture(&prep->recipe, picture_info(p), g);
	rc = choose_mode(p, &t, err);
	if (rc == 0 && limits->fast)
		rc = shrink(p, &t, err);
	if (rc == 0)
		rc = resize(p, &t, err);
	if (rc == 0 && picture_info(p)->left_over)
		rc = 1;
	picture_close(p);
	return rc;
}
