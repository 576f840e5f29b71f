// SPDX-License-Identifier: Apache-2.0
/*
 * yolo - compares decoding and suppression of an output of (84, 8400), which is
 * not in the cache, with reading its bytes once, which every decoder must do.
 * The outputs have about 70, 1,300 and 4,900 candidates for 6, 120 and 600
 * objects.
 */
#include <string.h>

#include "bench.h"
#include "tensor/half.h"
#include "vision/yolo.h"

enum { CLASSES = 80, BOXES = 8400, SIDE = 640, RUNS = 101 };
enum { NUMBERS = (4 + CLASSES) * BOXES, EVICT = 96 << 20 };

#define LANES uint64_t __attribute__((vector_size(16)))

struct scene {
	const char *name;
	unsigned objects, around;	/* boxes that see an object */
	unsigned kinds;			/* classes that occur */
	float jitter;			/* of corners, in object sides */
	double goal;			/* in reads; 0: without a goal */
};

static uint32_t state;

/* Returns a random number from 0 to 1 (xorshift). */
static float
any(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return (float)(state >> 8) / (float)(1 << 24);
}

static float x[NUMBERS];

static void
set_box(size_t i, float cx, float cy, float w, float h)
{
	x[i] = cx;
	x[BOXES + i] = cy;
	x[2 * BOXES + i] = w;
	x[3 * BOXES + i] = h;
}

/* Draws an object, and the boxes that see it: 4 neighbours in each row of 80
 * boxes. */
static void
draw_object(const struct scene *s)
{
	size_t class = (size_t)(any() * (float)s->kinds);
	size_t home = (size_t)(any() * (BOXES - 400));
	float w = 20 + 150 * any(), h = 20 + 150 * any();
	float cx = SIDE * any(), cy = SIDE * any(), j = s->jitter;

	for (unsigned k = 0; k < s->around; k++) {
		size_t i = home + k % 4 + 80 * (k / 4);

		set_box(i, cx + w * j * (any() - .5f), cy + h * j *
		    (any() - .5f), w * (1 + j * (any() - .5f)),
		    h * (1 + j * (any() - .5f)));
		x[(4 + class) * BOXES + i] = .31f + .6f * any();
	}
}

static void
draw(const struct scene *s)
{
	state = 12345;
	for (size_t i = 0; i < BOXES; i++)
		set_box(i, SIDE * any(), SIDE * any(), 8 + 90 * any(),
		    8 + 90 * any());
	for (size_t i = 4 * BOXES; i < NUMBERS; i++)
		x[i] = .02f * any() * any();
	for (unsigned i = 0; i < s->objects; i++)
		draw_object(s);
}

/* Describes x as a tensor in *t.  Returns the tensor's bytes. */
static void *
store(struct npu_tensor *t, struct yolo_shape *shape, uint32_t dtype,
    bool boxes_first)
{
	uint16_t *q = malloc(sizeof(x));
	float *y = malloc(sizeof(x));

	if (q == NULL || y == NULL)
		exit(1);
	for (size_t r = 0; r < 4 + CLASSES; r++)
		for (size_t i = 0; i < BOXES; i++)
			y[boxes_first ? i * (4 + CLASSES) + r : r * BOXES + i]
			    = x[r * BOXES + i];
	*t = (struct npu_tensor){ .dtype = dtype, .scale = 1,
	    .size = NUMBERS * npu_dtype_size(dtype) };
	*shape = (struct yolo_shape){ BOXES, CLASSES, boxes_first };
	if (dtype == NPU_F16)
		half_from_floats(y, NUMBERS, q);
	else
		memcpy(q, y, sizeof(x));
	free(y);
	return q;
}

static uint8_t *other;

static void
evict(void)
{
	for (size_t i = 0; i < EVICT; i += 64)
		other[i]++;
}

static double
read_once(const void *q, size_t bytes)
{
	const LANES *v = q;
	LANES a = { 0 }, b = a, c = a, d = a;
	double begin = now_ms();

	for (size_t i = 0; i < bytes / sizeof(*v); i += 4) {
		a ^= v[i];
		b ^= v[i + 1];
		c ^= v[i + 2];
		d ^= v[i + 3];
	}
	a ^= b ^ c ^ d;
	__asm__ volatile("" : : "m"(a));
	return now_ms() - begin;
}

static const struct geometry g = { SIDE, SIDE, SIDE, SIDE, SIDE, SIDE, 0, 0 };
static const struct yolo_options options = { .conf = .3, .iou = .45 };

static double
decode_once(struct yolo *y, const void *q, size_t *found,
    struct yolo_counts *counts)
{
	const struct detection *d;
	double begin = now_ms();

	if (yolo_decode(y, q, &g, &options, &d, found, counts, NULL) < 0)
		exit(1);
	return now_ms() - begin;
}

static bool
compare(const struct scene *s, uint32_t dtype, bool boxes_first, double goal)
{
	double ours[RUNS], peer[RUNS], warm[RUNS], a, b;
	struct yolo_counts counts;
	struct yolo_shape shape;
	struct npu_tensor t;
	struct yolo *y;
	char figures[100], what[60], limit[20];
	size_t found;
	void *q;

	draw(s);
	q = store(&t, &shape, dtype, boxes_first);
	if (yolo_open(&y, &t, &shape, NULL) < 0)
		exit(1);
	for (int i = 0; i < RUNS; i++) {
		evict();
		peer[i] = read_once(q, t.size);
		evict();
		ours[i] = decode_once(y, q, &found, &counts);
		warm[i] = decode_once(y, q, &found, &counts);
	}
	a = median(ours, RUNS);
	b = median(peer, RUNS);
	snprintf(what, sizeof(what), "%s%s %s, %llu to %zu",
	    npu_dtype_name(dtype), boxes_first ? " transposed" : "", s->name,
	    (unsigned long long)counts.candidates, found);
	snprintf(figures, sizeof(figures), "%.3f ms (%.3f in cache), read "
	    "%.3f, %.2fx", a, median(warm, RUNS), b, a / b);
	yolo_close(y);
	free(q);
	if (goal == 0) {
		figure(what, figures);
		return true;
	}
	snprintf(limit, sizeof(limit), "<= %gx", goal);
	return verdict(what, figures, limit, a / b <= goal);
}

int
main(void)
{
	static const struct scene scenes[] = {
		{ "typical", 6, 12, 80, .2f, 3 },
		{ "busy", 120, 12, 80, .3f, 8 },
		{ "dense", 600, 12, 80, .45f, 75 },
		{ "dense, one class", 600, 12, 1, .45f, 0 },
	};
	bool met = true;

	if ((other = calloc(1, EVICT)) == NULL)
		return 1;
	printf("decode an output of (84, 8400), not in cache, median of %d; "
	    "candidates to objects:\n", RUNS);
	for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); i++)
		met = compare(&scenes[i], NPU_F16, false, scenes[i].goal) &&
		    met;
	compare(&scenes[0], NPU_F16, true, 0);
	compare(&scenes[0], NPU_F32, false, 0);
	compare(&scenes[0], NPU_F32, true, 0);
	free(other);
	return met ? 0 : 1;
}
