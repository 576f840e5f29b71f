// SPDX-License-Identifier: Apache-2.0
/* Decides which axis of a detector's output is which, and whether the tensor
 * can be a detector's output. */
#include <stdio.h>

#include "base/err.h"
#include "base/num.h"
#include "tensor/tensor.h"
#include "vision/classnames.h"
#include "vision/head.h"

/* Finds the two axes, ignoring leading axes of 1: "84 x 8400". */
static int
two_axes(const struct npu_tensor *t, uint32_t axis[2], struct npu_err *err)
{
	uint32_t first = 0;

	while (t->ndim - first > 2 && t->ndim <= NPU_MAX_DIMS &&
	    t->dim[first] == 1)
		first++;
	if (t->ndim == 0)
		return npu_fail(err, NPU_EUSAGE, "its shape is not known; say "
		    "it with --shape=84,8400 or --model");
	if (t->ndim - first != 2)
		return npu_fail(err, NPU_EUSAGE, "its %u dimensions are not "
		    "two, 4 + classes and boxes; this is not an output of a "
		    "YOLOv8", t->ndim);
	axis[0] = t->dim[first];
	axis[1] = t->dim[first + 1];
	return 0;
}

/* Returns the axis whose length is 4 + n, or -1 with the reason. */
static int
by_names(const uint32_t axis[2], uint32_t names, struct npu_err *err)
{
	bool first = axis[0] == 4 + (uint64_t)names;
	bool second = axis[1] == 4 + (uint64_t)names;
	char perhaps[160];

	if (first != second)
		return second;
	if (first)
		return npu_fail(err, NPU_EUSAGE, "both axes of %u x %u can be "
		    "4 + classes; say which is first with --first=classes or "
		    "--first=boxes", axis[0], axis[1]);
	head_by_size(axis[axis[1] < axis[0]], names, perhaps, sizeof(perhaps));
	if (perhaps[0] == '\0')
		head_by_size(axis[axis[1] >= axis[0]], names, perhaps,
		    sizeof(perhaps));
	return npu_fail(err, NPU_EUSAGE, "%u x %u is not 4 + %u classes for "
	    "each box, and there are %u name%s%s", axis[0], axis[1], names,
	    names, num_plural(names), perhaps);
}

static int
by_size(const uint32_t axis[2], struct npu_err *err)
{
	uint32_t shorter = axis[1] < axis[0];

	/* A classifier or an embedder may have such an output. */
	if (axis[shorter] <= 4)
		return npu_fail(err, NPU_EUSAGE, "%u x %u is not an output of "
		    "a YOLOv8, 4 + classes numbers for each of many boxes%s",
		    axis[0], axis[1], axis[!shorter] <= 4 ? "" : shorter ?
		    ", unless --first=classes says that boxes are so few" :
		    ", unless --first=boxes says that boxes are so few");
	if ((uint64_t)axis[shorter] * 4 < axis[!shorter])
		return (int)shorter;
	return npu_fail(err, NPU_EUSAGE, "which axis of %u x %u is 4 + classes "
	    "does not show; say which is first with --first=classes or "
	    "--first=boxes", axis[0], axis[1]);
}

int
yolo_shape(struct yolo_shape *s, const struct npu_tensor *t,
    enum yolo_layout layout, uint32_t names, struct npu_err *err)
{
	uint32_t axis[2];
	char perhaps[160];
	int rc, which;

	if ((rc = two_axes(t, axis, err)) < 0)
		return rc;
	if (layout != YOLO_ANY)
		which = layout == YOLO_BOXES_FIRST;
	else
		which = names > 0 ? by_names(axis, names, err) :
		    by_size(axis, err);
	if (which < 0)
		return which;
	if (axis[which] <= 4 || axis[which] - 4 > YOLO_MAX_CLASSES ||
	    axis[!which] > YOLO_MAX_BOXES || axis[!which] == 0)
		return npu_fail(err, NPU_EUSAGE, "%u x %u cannot be 4 + %d "
		    "classes at most for each of %d boxes at most, %s first",
		    axis[0], axis[1], YOLO_MAX_CLASSES, YOLO_MAX_BOXES,
		    which ? "boxes" : "classes");
	head_by_size(axis[which], names, perhaps, sizeof(perhaps));
	if (names > 0 && axis[which] - 4 != names)
		return npu_fail(err, NPU_EUSAGE, "the model has %u classes, "
		    "but there are %u name%s%s", axis[which] - 4, names,
		    num_plural(names), perhaps);
	*s = (struct yolo_shape){ .boxes = axis[!which],
	    .classes = axis[which] - 4, .boxes_first = which != 0 };
	return 0;
}

bool
yolo_hopeless(const struct npu_tensor *t, bool parts, char *buf, size_t n)
{
	double step, most;

	if (t->dtype != NPU_S8 && t->dtype != NPU_U8)
		return false;
	step = tensor_step(t);
	most = ((t->dtype == NPU_S8 ? 127 : 255) + (double)t->zero_point) *
	    step;
	/* 256 steps cannot cover a picture and also resolve scores. */
	if (step > 0.1)
		snprintf(buf, n, "8 bits with one scale for pixels and scores: "
		    "numbers are %.4g apart, so scores from 0 to 1 vanish and "
		    "nothing will be found; compile the model with an f16 "
		    "output", step);
	else
		snprintf(buf, n, "8 bits with one scale for pixels and scores: "
		    "no number is above %.4g, so boxes, which are in pixels, "
		    "end there and nothing will be found; if they are parts "
		    "of the input, say --coordinates=parts, else compile the "
		    "model with an f16 output", most);
	return step > 0.1 || !parts;
}

bool
yolo_doubtful(const struct yolo_shape *s, char *buf, size_t n)
{
	if (s->classes != CLASSNAMES_COCO + 1)
		return false;
	snprintf(buf, n, "%u numbers a box are taken as 4 + %u classes; a "
	    "YOLOv5 or YOLOX has 5 + %u, which is not decoded here; if there "
	    "are %u classes, --names=FILE with their names says so",
	    4 + s->classes, s->classes, s->classes - 1, s->classes);
	return true;
}
