// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "frame.h"

/* ---- Opening ----------------------------------------------------------- */

int
frame_open(struct frame_format *f, const struct prep *prep,
    struct npu_err *err)
{
	const struct prep_recipe *r = prep_recipe(prep);
	const size_t size = npu_dtype_size(r->tensor.dtype);
	const bool chw = r->layout == LAYOUT_CHW;

	f->recipe = *r;
	f->convert.step = chw ? size : 3 * size;
	f->convert.plane = chw ? size * r->width * r->height : size;
	for (unsigned i = 0; i < 3; i++) {
		f->convert.channel[i] = (uint8_t)(r->bgr ? 2 - i : i);
		for (unsigned v = 0; v < 256; v++)
			f->convert.x[i][v] = prep_value(prep,
			    f->convert.channel[i], (uint8_t)v);
	}
	f->row = malloc((size_t)r->width * 4);
	f->real = malloc((size_t)r->width * 3 * sizeof(*f->real));
	if (f->row == NULL || f->real == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	return convert_open(&f->convert, &r->tensor, err);
}

void
frame_close(struct frame_format *f)
{
	free(f->row);
	free(f->real);
}

static size_t
numbers(const struct frame_format *f)
{
	return (size_t)f->recipe.width * f->recipe.height * 3;
}

size_t
frame_most_bytes(const struct frame_format *f)
{
	return numbers(f) * sizeof(float);
}

/* ---- What a frame is ---------------------------------------------------- */

/* Where the numbers of a frame are. */
struct source {
	const uint8_t *p;
	size_t size;			/* bytes of a number */
	size_t plane, step, line;	/* numbers to the next channel, pixel,
					   row */
};

static int
find_layout(const struct frame_format *f, const struct header *h,
    struct source *s, struct npu_err *err)
{
	const uint32_t width = f->recipe.width, height = f->recipe.height;
	const uint32_t *d = h->dim;

	if (d[0] == 1 && d[1] == 3 && d[2] == height && d[3] == width) {
		s->plane = (size_t)width * height;
		s->step = 1;
		s->line = width;
		return 0;
	}
	if (d[0] == 1 && d[1] == height && d[2] == width && d[3] == 3) {
		s->plane = 1;
		s->step = 3;
		s->line = (size_t)width * 3;
		return 0;
	}
	return npu_fail(err, NPU_EFORMAT, "the frame is [%" PRIu32 ",%" PRIu32
	    ",%" PRIu32 ",%" PRIu32 "], and the model takes [1,3,%" PRIu32
	    ",%" PRIu32 "] or [1,%" PRIu32 ",%" PRIu32 ",3]", d[0], d[1],
	    d[2], d[3], height, width, height, width);
}

static int
find_source(const struct frame_format *f, const struct header *h,
    struct bytes frame, struct source *s, struct npu_err *err)
{
	int rc = find_layout(f, h, s, err);
	size_t want;

	if (rc < 0)
		return rc;
	s->p = frame.p;
	s->size = h->real ? sizeof(float) : 1;
	want = numbers(f) * s->size;
	if (frame.n != want)
		return npu_fail(err, NPU_EFORMAT, "the frame has %zu bytes, "
		    "and its shape and dtype say %zu", frame.n, want);
	return 0;
}

/* The channel of the frame that is red, green or blue: 0, 1, 2. */
static size_t
channel_at(const struct frame_format *f, size_t colour)
{
	return f->bgr ? 2 - colour : colour;
}

/* ---- Whole numbers ----------------------------------------------------- */

static void
convert_bytes(struct frame_format *f, const struct source *s, uint8_t *in)
{
	const uint32_t width = f->recipe.width;

	for (uint32_t y = 0; y < f->recipe.height; y++) {
		for (size_t c = 0; c < 3; c++) {
			const uint8_t *p = s->p + y * s->line +
			    channel_at(f, c) * s->plane;

			for (size_t x = 0; x < width; x++)
				f->row[4 * x + c] = p[x * s->step];
		}
		convert_pixels(&f->convert, f->row, width, in + (size_t)y *
		    width * f->convert.step);
	}
}

/* ---- Real numbers ------------------------------------------------------ */

static float
number(const struct source *s, size_t i)
{
	float v;

	memcpy(&v, s->p + i * sizeof(v), sizeof(v));
	return v;
}

/* Refuses what pixels cannot be, and what looks like the other range. */
static int
check_reals(const struct frame_format *f, const struct source *s,
    struct npu_err *err)
{
	const float most = f->floats == FLOAT_UNIT ? 1 : 255;
	bool above = false, part = false;
	size_t n = numbers(f);

	for (size_t i = 0; i < n; i++) {
		float v = number(s, i);

		if (isnan(v))
			return npu_fail(err, NPU_EFORMAT, "number %zu of the "
			    "frame is NaN", i);
		if (v < 0 || v > most)
			return npu_fail(err, NPU_EFORMAT, "number %zu of the "
			    "frame is %g, and not from 0 to %g%s", i,
			    (double)v, (double)most, v > 1 && v <= 255 ?
			    " (--input-dtype=float_denorm takes 0 to 255)" :
			    "");
		above |= v > 1;
		part |= v != truncf(v);
	}
	if (f->floats == FLOAT_DENORM && !above && part)
		return npu_fail(err, NPU_EFORMAT, "the numbers of the frame "
		    "are from 0 to 1, not to 255 (--input-dtype=float takes "
		    "these)");
	return 0;
}

/* The model's real number for one of the frame. */
static float
real(const struct frame_format *f, float v, size_t colour)
{
	const struct prep_recipe *r = &f->recipe;
	float part = f->floats == FLOAT_DENORM ? v / r->divisor :
	    v * (255 / r->divisor);

	return (part - r->mean[colour]) / r->deviation[colour];
}

/* Puts channel i of a row of the model at to[0], to[step], ... */
static void
gather(const struct frame_format *f, const struct source *s, uint32_t y,
    size_t i, float *to, size_t step)
{
	const size_t colour = f->convert.channel[i];
	const size_t from = y * s->line + channel_at(f, colour) * s->plane;

	for (size_t x = 0; x < f->recipe.width; x++)
		to[x * step] = real(f, number(s, from + x * s->step), colour);
}

static int
convert_reals(struct frame_format *f, const struct source *s, uint8_t *in,
    struct npu_err *err)
{
	const bool chw = f->recipe.layout == LAYOUT_CHW;
	const size_t width = f->recipe.width;
	const size_t n = chw ? width : 3 * width;
	int rc = 0;

	for (uint32_t y = 0; y < f->recipe.height; y++) {
		uint8_t *row = in + y * width * f->convert.step;

		for (size_t i = 0; i < 3 && rc == 0; i++) {
			gather(f, s, y, i, f->real + (chw ? 0 : i),
			    chw ? 1 : 3);
			if (chw || i == 2)
				rc = npu_quantise(&f->recipe.tensor, f->real,
				    n, chw ? row + i * f->convert.plane : row,
				    false, NULL, err);
		}
	}
	return rc;
}

int
frame_convert(struct frame_format *f, const struct header *h,
    struct bytes frame, uint8_t *in, struct npu_err *err)
{
	struct source s = { 0 };
	int rc = find_source(f, h, frame, &s, err);

	if (rc < 0)
		return rc;
	if (!h->real) {
		convert_bytes(f, &s, in);
		return 0;
	}
	rc = check_reals(f, &s, err);
	return rc < 0 ? rc : convert_reals(f, &s, in, err);
}
