// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdio.h>

#include "base/err.h"
#include "tensor/tensor.h"
#include "vision/head.h"

enum {
	BOX = 4,		/* numbers for a box */
	MASKS = 32,		/* coefficients for a mask */
	END_TO_END = 2,		/* numbers after the box: score, class */
	LEAST_POSE = 4,		/* minimum after the box: a class, a key
				 * point */
};

#define TOLERANCE 0.01		/* of a score; coarser types: a step */
#define LARGEST_MASK 20		/* below: mask coefficients; above: pixels */
#define LARGEST_PART 2		/* of an input: a box may extend beyond it */
#define LEAST_INPUT 32		/* pixels; the coarsest of YOLOv8's grids */
#define UNLIKELY 0.05		/* most scores of a box are below this */

/* For finding key points in a tensor: fewer boxes are not enough, and of many
 * boxes a sample is enough. */
enum { LEAST_BOXES = 8, SAMPLE = 128 };

void
head_by_size(uint32_t numbers, uint32_t names, char *buf, size_t n)
{
	int64_t rest = (int64_t)numbers - BOX - names;

	buf[0] = '\0';
	if (rest == 1)
		snprintf(buf, n, "; if it is 5 + classes, as YOLOv5 and YOLOX "
		    "have, it is not decoded here, nor is an OBB head, "
		    "4 + classes + angle");
	else if (numbers == BOX + END_TO_END)
		snprintf(buf, n, "; the output of an end-to-end head (corners, "
		    "score, class) is not decoded here");
	else if (rest == MASKS)
		snprintf(buf, n, "; a segmentation head (4 + %u + %d) is not "
		    "decoded here", names, MASKS);
	else if (rest > 0 && rest % 3 == 0)
		snprintf(buf, n, "; a pose head (4 + %u + 3 x %lld) is not "
		    "decoded here", names, (long long)rest / 3);
}

static double
tolerance(const struct scan *s)
{
	double step = npu_dtype_is_float(s->t.dtype) ? 0 : tensor_step(&s->t);

	return step > TOLERANCE ? step : TOLERANCE;
}

static bool
is_score(double least, double most, double tolerated)
{
	return least >= -tolerated && most <= 1 + tolerated;
}

/* Returns the first class with a number that is not a score, for some box. */
static uint32_t
first_outside(const struct scan *s, const void *data)
{
	double least, most;

	for (uint32_t i = 0; i < s->shape.classes; i++) {
		scan_extremes(s, data, i, 1, &least, &most);
		if (!is_score(least, most, tolerance(s)))
			return i;
	}
	return s->shape.classes;
}

/* Returns number i of a box. */
static double
number(const struct scan *s, const void *data, size_t box, size_t i)
{
	const size_t numbers = BOX + (size_t)s->shape.classes;
	const size_t at = s->shape.boxes_first ? box * numbers + i :
	    i * s->shape.boxes + box;
	float x;

	npu_dequantise(&s->t, (const uint8_t *)data +
	    at * npu_dtype_size(s->t.dtype), 1, &x, NULL);
	return (double)x;
}

static bool
has_cells(const struct geometry *g)
{
	return g->in_width >= LEAST_INPUT && g->in_height >= LEAST_INPUT;
}

/* Returns whether all boxes are rows of corners, a score, and a class number,
 * or -1 in rows of padding.  In the output of a YOLOv8 with two classes, the
 * second number is rarely a whole number.  Its boxes could also look like
 * corners, but such a box has its centre at less than its size and lies near
 * the corner: in an input with more than one cell of the coarsest grid, not all
 * boxes do.  A box of width 0 is allowed only in the usual order, with the
 * score first. */
static bool
has_rows(const struct scan *s, const void *data, const struct geometry *g,
    bool score_first)
{
	const size_t score = score_first ? BOX : BOX + 1;
	const size_t class = score_first ? BOX + 1 : BOX;
	double x[BOX + END_TO_END];
	/* If the input's size is not known, only the boxes can be judged. */
	bool corners = g->in_width == 0 || has_cells(g);
	bool found = false, others = false;

	for (size_t box = 0; box < s->shape.boxes; box++) {
		for (size_t i = 0; i < BOX + END_TO_END; i++)
			x[i] = number(s, data, box, i);
		if (!(x[class] >= -1 && x[class] == floor(x[class]) &&
		    x[score] <= 1))
			return false;
		if (x[score] <= 0)
			continue;
		found = true;
		others = others || x[class] > 1;
		corners = corners && x[0] <= x[2] && x[1] <= x[3] &&
		    (score_first || x[0] < x[2]);
	}
	return found && (corners || others);
}

/* Returns the order of an end-to-end head's numbers, or NULL for another
 * head. */
static const char *
end_to_end(const struct scan *s, const void *data, const struct geometry *g)
{
	if (s->shape.classes != END_TO_END)
		return NULL;
	if (has_rows(s, data, g, true))
		return "score, class";
	return has_rows(s, data, g, false) ? "class, score" : NULL;
}

/* Writes which head has numbers that are not scores, judging by the first such
 * number and by the number of the rest. */
static void
by_values(const struct scan *s, const void *data, double most, char *buf,
    size_t n)
{
	const uint32_t scores = s->shape.classes;
	const uint32_t first = first_outside(s, data), rest = scores - first;
	const char *kind = "scores before the sigmoid; the model must end with "
	    "it";

	if (first == 0 && most > LARGEST_MASK)
		kind = "a tensor whose other axis comes first; --first names "
		    "it";
	else if (first > 0 && rest == 1 && most < 4)
		kind = "an OBB head, with an angle behind the classes";
	else if (first > 0 && most > LARGEST_MASK)
		kind = "a pose head, with key points behind the classes";
	else if (scores > MASKS && rest <= MASKS && first > 0)
		kind = "a segmentation head, with 32 numbers of a mask behind "
		    "the classes";
	snprintf(buf, n, "%s", kind);
}

int
head_check(const struct scan *s, const void *data, const struct geometry *g,
    struct npu_err *err)
{
	char kind[100];
	const char *order = end_to_end(s, data, g);
	double least, most;

	if (order != NULL)
		return npu_fail(err, NPU_EFORMAT, "6 numbers a box: the output "
		    "of an end-to-end head (corners, %s), which is not decoded "
		    "here; export the model without NMS", order);
	scan_extremes(s, data, 0, s->shape.classes, &least, &most);
	if (is_score(least, most, tolerance(s)))
		return 0;
	by_values(s, data, most, kind, sizeof(kind));
	return npu_fail(err, NPU_EFORMAT, "scores from %.4g to %.4g, but a "
	    "YOLOv8 detection head has 0 to 1; %u numbers a box: probably %s",
	    least, most, BOX + s->shape.classes, kind);
}

/* Returns whether a box has more likely scores than a detector gives. */
static bool
has_points(const struct scan *s, const void *data, size_t box)
{
	const size_t scores = s->shape.classes;
	size_t likely = 0;

	for (size_t i = 0; i < scores; i++)
		likely += number(s, data, box, BOX + i) > UNLIKELY;
	return 3 * likely >= scores;
}

int
head_check_points(const struct scan *s, const void *data, struct npu_err *err)
{
	const size_t boxes = s->shape.boxes, step = 1 + (boxes - 1) / SAMPLE;
	size_t seen = 0, found = 0;

	if (s->shape.classes < LEAST_POSE || boxes < LEAST_BOXES)
		return 0;
	for (size_t box = 0; box < boxes; box += step) {
		seen++;
		found += has_points(s, data, box);
	}
	if (2 * found <= seen)
		return 0;
	return npu_fail(err, NPU_EFORMAT, "most boxes have a score above %g "
	    "for a third of the classes; %zu numbers a box: probably a pose "
	    "head, with key points behind the classes, which is not decoded "
	    "here", UNLIKELY, BOX + (size_t)s->shape.classes);
}

/* Returns the largest number in n boxes. */
static float
largest(const float *x, size_t n)
{
	float most = 0;

	for (size_t i = 0; i < BOX * n; i++)
		most = x[i] > most ? x[i] : most;
	return most;
}

int
head_check_pixels(const float *x, size_t n, const struct geometry *g,
    struct npu_err *err)
{
	float most = largest(x, n);

	if (n == 0 || !has_cells(g) || most > LARGEST_PART)
		return 0;
	return npu_fail(err, NPU_EFORMAT, "no coordinate is above %.4g: they "
	    "are probably parts of the input, from 0 to 1, not pixels; "
	    "--coordinates=parts decodes these", (double)most);
}

int
head_check_parts(const float *x, size_t n, const struct geometry *g,
    struct npu_err *err)
{
	double side = g->in_width > g->in_height ? g->in_width : g->in_height;
	double most = (double)largest(x, n) / side;

	if (!has_cells(g) || most <= LARGEST_PART)
		return 0;
	return npu_fail(err, NPU_EFORMAT, "a coordinate is %.4g: parts of the "
	    "input are from 0 to 1; leave --coordinates=parts out", most);
}
