// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "cmd.h"
#include "same_objects.h"
#include "tensors/tensor_options.h"
#include "vision/yolo.h"

#define SAME_IOU 0.5

struct same_objects {
	struct npu_tensor tensor;	/* the output as floats */
	struct yolo *a, *b;
	struct geometry g;
};

/* Finds the size of the only input if it is a picture of three channels. */
static bool
picture_size(const struct npu *npu, uint32_t *width, uint32_t *height)
{
	const struct npu_tensor *t = npu_input(npu, 0);

	if (npu_inputs(npu) != 1 || t->ndim != 4 || t->dim[0] != 1)
		return false;
	if (t->dim[1] == 3) {
		*height = t->dim[2];
		*width = t->dim[3];
		return true;
	}
	*height = t->dim[1];
	*width = t->dim[2];
	return t->dim[3] == 3;
}

struct same_objects *
same_objects_open(const struct npu *npu, const struct npu_tensor *t)
{
	struct same_objects *s;
	struct yolo_shape shape;
	uint32_t width, height;
	struct npu_err err;

	if (!picture_size(npu, &width, &height) ||
	    yolo_shape(&shape, t, YOLO_ANY, 0, &err) < 0)
		return NULL;
	s = cmd_alloc(sizeof(*s));
	tensor_as_floats(t, &s->tensor);
	geometry_fit(&s->g, FIT_STRETCH, width, height, width, height);
	if (yolo_open(&s->a, &s->tensor, &shape, &err) < 0 ||
	    yolo_open(&s->b, &s->tensor, &shape, &err) < 0)
		cmd_die_err(NULL, &err);
	return s;
}

void
same_objects_close(struct same_objects *s)
{
	if (s == NULL)
		return;
	yolo_close(s->a);
	yolo_close(s->b);
	free(s);
}

static double
overlap(double a0, double a1, double b0, double b1)
{
	double from = a0 > b0 ? a0 : b0, to = a1 < b1 ? a1 : b1;

	return to > from ? to - from : 0;
}

static double
area(const float box[4])
{
	return ((double)box[2] - (double)box[0]) *
	    ((double)box[3] - (double)box[1]);
}

static double
iou(const float a[4], const float b[4])
{
	double both = overlap((double)a[0], (double)a[2], (double)b[0],
	    (double)b[2]) * overlap((double)a[1], (double)a[3], (double)b[1],
	    (double)b[3]);

	return both == 0 ? 0 : both / (area(a) + area(b) - both);
}

/* Finds a free object like *d.  Each object of b can match one of a only. */
static bool
take_match(const struct detection *d, const struct detection *b, size_t n,
    bool *used)
{
	size_t best = n;

	for (size_t i = 0; i < n; i++)
		if (!used[i] && b[i].class == d->class &&
		    iou(d->box, b[i].box) >= SAME_IOU && (best == n ||
		    iou(d->box, b[i].box) > iou(d->box, b[best].box)))
			best = i;
	if (best < n)
		used[best] = true;
	return best < n;
}

bool
same_objects(struct same_objects *s, const float *x, const float *y)
{
	const struct yolo_options options = { .conf = .25, .iou = .7,
	    .max = 300 };
	const struct detection *a, *b;
	struct npu_err err;
	bool *used, same;
	size_t n, m;

	if (yolo_decode(s->a, x, &s->g, &options, &a, &n, NULL, &err) < 0 ||
	    yolo_decode(s->b, y, &s->g, &options, &b, &m, NULL, &err) < 0)
		cmd_die_err(NULL, &err);
	same = n == m;
	used = cmd_alloc((m + 1) * sizeof(*used));
	for (size_t i = 0; same && i < n; i++)
		same = take_match(&a[i], b, m, used);
	free(used);
	return same;
}
