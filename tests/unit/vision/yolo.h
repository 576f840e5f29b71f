/* SPDX-License-Identifier: Apache-2.0 */
/* Small answers of a detector, written as numbers, for tests of yolo. */
#ifndef TESTS_UNIT_VISION_YOLO_H
#define TESTS_UNIT_VISION_YOLO_H

#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "tensor/half.h"
#include "vision/yolo.h"

enum { SIDE = 64 };	/* of the input, and also of the picture by default */

/* The picture has the size of the input. */
static const struct geometry same = { SIDE, SIDE, SIDE, SIDE, SIDE, SIDE, 0,
	0 };

/* Describes how an answer is stored. */
struct store {
	uint32_t dtype;
	float scale;
	int32_t zero_point;
	bool boxes_first;
};

#define AS_F32 ((struct store){ NPU_F32, 1, 0, false })

struct answer {
	size_t boxes, classes;
	const float *rows;	/* (4 + classes, boxes) */
};

/* Converts x to the type of t.  Floats keep values that are not finite; for
 * integers, there are no such values. */
__attribute__((unused)) static void
convert(const struct npu_tensor *t, const float *x, size_t n, void *q)
{
	uint16_t *h = q;

	if (t->dtype == NPU_F32)
		memcpy(q, x, n * sizeof(*x));
	else if (t->dtype == NPU_F16 || t->dtype == NPU_BF16)
		for (size_t i = 0; i < n; i++)
			h[i] = t->dtype == NPU_F16 ? half_from_float(x[i]) :
			    bf16_from_float(x[i]);
	else if (npu_quantise(t, x, n, q, false, NULL, NULL) < 0)
		exit(2);
}

/* Returns the answer's bytes, stored as s describes, and describes them in *t.
 * The caller frees the bytes. */
__attribute__((unused)) static void *
stored(const struct answer *a, struct store s, struct npu_tensor *t)
{
	size_t rows = 4 + a->classes, n = rows * a->boxes;
	float *x = malloc(n * sizeof(*x));
	void *q;

	for (size_t r = 0; r < rows; r++)
		for (size_t b = 0; b < a->boxes; b++)
			x[s.boxes_first ? b * rows + r : r * a->boxes + b] =
			    a->rows[r * a->boxes + b];
	*t = (struct npu_tensor){ .dtype = s.dtype, .ndim = 3,
	    .dim = { 1, (uint32_t)rows, (uint32_t)a->boxes },
	    .scale = s.scale, .zero_point = s.zero_point,
	    .size = n * npu_dtype_size(s.dtype) };
	if (s.boxes_first) {
		t->dim[1] = (uint32_t)a->boxes;
		t->dim[2] = (uint32_t)rows;
	}
	q = malloc(t->size);
	convert(t, x, n, q);
	free(x);
	return q;
}

/* Finds at most room objects and returns their number.  Exits on an error. */
__attribute__((unused)) static size_t
find(const struct answer *a, struct store s, const struct geometry *g,
    const struct yolo_options *o, struct detection *d, size_t room,
    struct yolo_counts *counts)
{
	struct yolo_shape shape = { (uint32_t)a->boxes, (uint32_t)a->classes,
	    s.boxes_first };
	const struct detection *found;
	struct npu_tensor t;
	struct yolo *y;
	size_t n;
	void *q = stored(a, s, &t);

	if (yolo_open(&y, &t, &shape, NULL) < 0 ||
	    yolo_decode(y, q, g, o, &found, &n, counts, NULL) < 0 || n > room)
		exit(2);
	memcpy(d, found, n * sizeof(*d));
	yolo_close(y);
	free(q);
	return n;
}

#endif
