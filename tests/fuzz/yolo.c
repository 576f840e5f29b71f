// SPDX-License-Identifier: Apache-2.0
/*
 * Any bytes as a model's output: all objects lie in the picture, are ordered by
 * confidence, and have finite values.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vision/yolo.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static const uint32_t types[] = { NPU_F16, NPU_F32, NPU_BF16, NPU_S8, NPU_U8,
	NPU_S16, NPU_U16 };

/*
 * The first bytes choose the options; the others are the tensor, as many as
 * fit.
 */
struct choice {
	uint8_t type, classes, bits, conf, iou, max, zero, width;
};

static void
check(const struct detection *d, size_t n, const struct geometry *g,
    const struct yolo_options *o, uint32_t classes)
{
	if (o->max > 0 && n > o->max)
		abort();
	for (size_t i = 0; i < n; i++) {
		const float *b = d[i].box;

		if (d[i].class >= classes || !isfinite(d[i].confidence) ||
		    !((double)d[i].confidence > o->conf) || !(b[0] >= 0 &&
		    b[1] >= 0 && b[0] < b[2] && b[1] < b[3] && b[2] <=
		    (float)g->width && b[3] <= (float)g->height))
			abort();
		if (i > 0 && d[i].confidence > d[i - 1].confidence)
			abort();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct yolo_options o = { 0 };
	const struct detection *d;
	struct yolo_counts counts;
	struct yolo_shape shape;
	struct geometry g;
	struct npu_tensor t;
	struct choice c;
	struct yolo *y;
	struct npu_err err = { .msg = "" };
	size_t size, found;
	int rc;

	if (n < sizeof(c))
		return 0;
	memcpy(&c, p, sizeof(c));
	/* With the finer scale, integers are more often valid scores. */
	t = (struct npu_tensor){ .dtype = types[c.type % 7],
	    .scale = c.bits & 32 ? 120 : 8, .zero_point = (int8_t)c.zero };
	size = (4 + 1 + c.classes % 8u) * npu_dtype_size(t.dtype);
	shape = (struct yolo_shape){ (uint32_t)((n - sizeof(c)) / size),
	    1 + c.classes % 8u, c.bits & 1 };
	if (shape.boxes == 0)
		return 0;
	t.size = shape.boxes * size;
	o = (struct yolo_options){ .conf = c.conf / 255.0, .iou = c.iou /
	    255.0, .max = c.max, .agnostic = c.bits & 2,
	    .no_nms = c.bits & 4, .parts = c.bits & 16 };
	geometry_fit(&g, c.bits & 8 ? FIT_STRETCH : FIT_LETTERBOX,
	    c.width + 1u, 100, 32, 32);
	/* The data may also be unaligned. */
	if (yolo_open(&y, &t, &shape, NULL) < 0 || yolo_decode(y,
	    p + sizeof(c), &g, &o, &d, &found, &counts, NULL) < 0)
		abort();
	check(d, found, &g, &o, shape.classes);
	rc = yolo_check(y, p + sizeof(c), &g, &o, &err);
	if (rc != 0 && (rc != NPU_EFORMAT || err.msg[0] == '\0'))
		abort();
	yolo_close(y);
	return 0;
}
