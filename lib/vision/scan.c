// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "vision/scan.h"

/* The loops of lanes.h. */
struct loops {
	void (*rows)(const void *, size_t, size_t, void *, uint32_t *);
	void (*columns)(const void *, size_t, size_t, size_t, void *,
	    uint32_t *);
	void (*finite)(const void *, size_t, size_t, size_t, size_t, void *,
	    int64_t);
	size_t (*above)(const void *, size_t, int64_t, uint32_t *);
	void (*row_classes)(const void *, size_t, size_t, const void *,
	    const uint32_t *, size_t, uint32_t *);
	void (*column_classes)(const void *, size_t, size_t, const void *,
	    const uint32_t *, size_t, uint32_t *);
	uint64_t (*not_finite)(const void *, size_t, size_t, size_t, uint32_t);
	void (*extremes)(const void *, size_t, size_t, size_t, uint32_t,
	    int64_t *, int64_t *);
	void (*gather)(const void *, size_t, size_t, const uint32_t *,
	    const uint32_t *, size_t, void *);
};

#define LANE int8_t
#define LANE_NAME(x) s8_##x
#include "vision/lanes.h"
#define LANE uint8_t
#define LANE_NAME(x) u8_##x
#include "vision/lanes.h"
#define LANE int16_t
#define LANE_NAME(x) s16_##x
#include "vision/lanes.h"
#define LANE uint16_t
#define LANE_NAME(x) u16_##x
#include "vision/lanes.h"
#define LANE int32_t
#define LANE_NAME(x) s32_##x
#include "vision/lanes.h"

/*
 * least and most are keys: stored integers, or the bits of floats above 0 and
 * below infinity.  exponent: the bits that are all set in NaN and infinity; 0
 * for integers.
 */
static const struct scan_type {
	uint32_t dtype;
	const struct loops *loops;
	int64_t least, most;
	uint32_t exponent;
} types[] = {
	{ NPU_F16, &s16_loops, 1, 0x7bff, 0x7c00 },
	{ NPU_F32, &s32_loops, 1, 0x7f7fffff, 0x7f800000 },
	{ NPU_BF16, &s16_loops, 1, 0x7f7f, 0x7f80 },
	{ NPU_S8, &s8_loops, INT8_MIN, INT8_MAX, 0 },
	{ NPU_U8, &u8_loops, 0, UINT8_MAX, 0 },
	{ NPU_S16, &s16_loops, INT16_MIN, INT16_MAX, 0 },
	{ NPU_U16, &u16_loops, 0, UINT16_MAX, 0 },
};

static const struct scan_type *
find_type(uint32_t dtype)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].dtype == dtype)
			return &types[i];
	return NULL;
}

int
scan_open(struct scan *s, const struct npu_tensor *t,
    const struct yolo_shape *shape, struct npu_err *err)
{
	const char *name = npu_dtype_name(t->dtype);
	uint64_t n = (uint64_t)shape->boxes * (4 + (uint64_t)shape->classes);

	*s = (struct scan){ .t = *t, .shape = *shape,
	    .type = find_type(t->dtype) };
	if (s->type == NULL)
		return npu_fail(err, NPU_EUSAGE, "elements of type %s cannot "
		    "be decoded, but f16, f32, bf16, s8, u8, s16 and u16; "
		    "npu-dequant makes f32 of any", name ? name : "unknown");
	if (t->size != n * npu_dtype_size(t->dtype))
		return npu_fail(err, NPU_EUSAGE, "%llu bytes are not %u boxes "
		    "of 4 + %u numbers", (unsigned long long)t->size,
		    shape->boxes, shape->classes);
	s->best = malloc(shape->boxes * npu_dtype_size(t->dtype));
	if (s->best == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	return 0;
}

void
scan_close(struct scan *s)
{
	free(s->best);
	s->best = NULL;
}

/* ---- Thresholds ------------------------------------------------------- */

/* Returns the real number of a key. */
static double
key_number(const struct scan *s, int64_t key)
{
	float x = 0;

	/* Little-endian: the low bytes are the element. */
	npu_dequantise(&s->t, &key, 1, &x, NULL);
	return (double)x;
}

/* Returns the smallest key whose number is above conf, or most + 1 if there is
 * no such key.  Numbers are monotonic in their keys. */
static int64_t
least_key(const struct scan *s, double conf)
{
	int64_t from = s->type->least, to = s->type->most + 1, middle;

	while (from < to) {
		middle = from + (to - from) / 2;
		if (key_number(s, middle) > conf)
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}

/* ---- Boxes ------------------------------------------------------------ */

/* Returns the number of elements between two numbers of a box.  stride() is the
 * number of elements between two boxes. */
static size_t
step(const struct scan *s)
{
	return s->shape.boxes_first ? 1 : s->shape.boxes;
}

static size_t
stride(const struct scan *s)
{
	return s->shape.boxes_first ? 4 + (size_t)s->shape.classes : 1;
}

static const uint8_t *
scores(const struct scan *s, const void *data)
{
	return (const uint8_t *)data + 4 * step(s) * npu_dtype_size(s->t.dtype);
}

size_t
scan_boxes(struct scan *s, const void *data, double conf, uint32_t *where,
    uint32_t *class)
{
	const struct loops *l = s->type->loops;
	const uint32_t exponent = s->type->exponent;
	size_t classes = s->shape.classes, boxes = s->shape.boxes, n;
	const uint8_t *first = scores(s, data);
	int64_t least = least_key(s, conf);

	if (s->shape.boxes_first)
		l->columns(first, classes, stride(s), boxes, s->best, &s->any);
	else
		l->rows(first, classes, boxes, s->best, &s->any);
	/* Several finite floats together may have all these bits, so look
	 * again. */
	if (exponent != 0 && (s->any & exponent) == exponent)
		l->finite(first, classes, step(s), stride(s), boxes, s->best,
		    exponent);
	if (least > s->type->most)
		return 0;
	n = l->above(s->best, boxes, least, where);
	if (s->shape.boxes_first)
		l->column_classes(first, classes, stride(s), s->best, where, n,
		    class);
	else
		l->row_classes(first, classes, boxes, s->best, where, n,
		    class);
	return n;
}

uint64_t
scan_not_finite(const struct scan *s, const void *data)
{
	const struct loops *l = s->type->loops;
	const uint32_t exponent = s->type->exponent;
	size_t boxes = s->shape.boxes, numbers = 4 + (size_t)s->shape.classes;

	if (exponent == 0)
		return 0;
	/* The scan has covered the scores, but not the boxes. */
	if ((s->any & exponent) != exponent)
		numbers = 4;
	if (s->shape.boxes_first)
		return l->not_finite(data, boxes, numbers, stride(s), exponent);
	return l->not_finite(data, numbers, boxes, boxes, exponent);
}

/* Returns the real number of an ordered key (lanes.h). */
static double
ordered_number(const struct scan *s, int64_t key)
{
	const unsigned bits = 8 * npu_dtype_size(s->t.dtype) - 1;

	if (s->type->exponent != 0 && key < 0)
		key ^= (int64_t)((UINT64_C(1) << bits) - 1);
	return key_number(s, key);
}

void
scan_extremes(const struct scan *s, const void *data, uint32_t from, uint32_t n,
    double *least, double *most)
{
	const struct loops *l = s->type->loops;
	const uint32_t exponent = s->type->exponent;
	const size_t boxes = s->shape.boxes;
	const uint8_t *first = scores(s, data) +
	    from * step(s) * npu_dtype_size(s->t.dtype);
	int64_t low = exponent != 0 ? 0 : s->type->most;
	int64_t high = exponent != 0 ? 0 : s->type->least;

	if (s->shape.boxes_first)
		l->extremes(first, boxes, n, stride(s), exponent, &low, &high);
	else
		l->extremes(first, n, boxes, boxes, exponent, &low, &high);
	*least = ordered_number(s, low);
	*most = ordered_number(s, high);
}

int
scan_numbers(const struct scan *s, const void *data, const uint32_t *where,
    const uint32_t *class, size_t n, void *q, float *x, struct npu_err *err)
{
	s->type->loops->gather(data, step(s), stride(s), where, class, n, q);
	return npu_dequantise(&s->t, q, 5 * n, x, err);
}
