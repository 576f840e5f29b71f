// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "vision/head.h"
#include "vision/nms.h"
#include "vision/scan.h"

/* Shorter sides would be printed as 0 (hundredths of a pixel). */
#define LEAST_SIDE 0.01

struct candidate {
	float confidence;
	uint32_t class;
	struct nms_box box;	/* pixels of the model's input */
};

/*
 * All memory is allocated at once, enough if every box is a candidate: unused
 * memory is never touched.
 */
struct yolo {
	struct scan scan;
	size_t size;		/* bytes in the tensor */
	uint32_t *where, *class;	/* boxes above the threshold */
	void *q;		/* their numbers as stored */
	float *x;
	size_t above;		/* boxes in x, above the threshold */
	struct candidate *candidates;	/* in tensor order */
	uint64_t *order, *spare;	/* indices of candidates, best first */
	/* At most YOLO_MAX_CANDIDATES in each. */
	struct nms_box *boxes;
	uint32_t *group, *place;
	struct nms nms;
	struct detection *found;
	void *aligned;		/* copy of unaligned data; or NULL */
};

static bool
allocate(struct yolo *y)
{
	size_t n = y->scan.shape.boxes;
	size_t most = n < YOLO_MAX_CANDIDATES ? n : YOLO_MAX_CANDIDATES;
	struct { void *to; size_t size; } parts[] = {
		{ &y->where, n * sizeof(*y->where) },
		{ &y->class, n * sizeof(*y->class) },
		{ &y->q, 5 * n * npu_dtype_size(y->scan.t.dtype) },
		{ &y->x, 5 * n * sizeof(*y->x) },
		{ &y->candidates, n * sizeof(*y->candidates) },
		{ &y->order, n * sizeof(*y->order) },
		{ &y->spare, n * sizeof(*y->spare) },
		{ &y->boxes, most * sizeof(*y->boxes) },
		{ &y->group, most * sizeof(*y->group) },
		{ &y->place, most * sizeof(*y->place) },
		{ &y->found, most * sizeof(*y->found) },
		{ &y->nms.start, (y->scan.shape.classes + (size_t)1) *
		    sizeof(*y->nms.start) },
		{ &y->nms.member, most * sizeof(*y->nms.member) },
		{ &y->nms.kept, most },
		{ &y->nms.eights, (most / NMS_LANES + 1) *
		    sizeof(*y->nms.eights) },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		void *p = malloc(parts[i].size);

		if (p == NULL)
			return false;
		memcpy(parts[i].to, &p, sizeof(p));
	}
	return true;
}

int
yolo_open(struct yolo **yolo, const struct npu_tensor *t,
    const struct yolo_shape *shape, struct npu_err *err)
{
	struct yolo *y = calloc(1, sizeof(*y));
	int rc;

	if (y == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	y->size = t->size;
	if ((rc = scan_open(&y->scan, t, shape, err)) < 0)
		goto fail;
	if (!allocate(y)) {
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory for %u boxes",
		    shape->boxes);
		goto fail;
	}
	*yolo = y;
	return 0;
fail:
	yolo_close(y);
	return rc;
}

void
yolo_close(struct yolo *y)
{
	if (y == NULL)
		return;
	scan_close(&y->scan);
	free(y->where);
	free(y->class);
	free(y->q);
	free(y->x);
	free(y->candidates);
	free(y->order);
	free(y->spare);
	free(y->boxes);
	free(y->group);
	free(y->place);
	free(y->found);
	free(y->nms.start);
	free(y->nms.member);
	free(y->nms.kept);
	free(y->nms.eights);
	free(y->aligned);
	free(y);
}

/* ---- Candidates ------------------------------------------------------- */

static float
clip(double v, uint32_t most)
{
	return (float)(v < 0 ? 0 : v > most ? most : v);
}

/* Maps a box from the input to the picture and clips it. */
static void
on_picture(const struct geometry *g, const struct nms_box *b, float box[4])
{
	box[0] = clip(geometry_x(g, b->x1), g->width);
	box[1] = clip(geometry_y(g, b->y1), g->height);
	box[2] = clip(geometry_x(g, b->x2), g->width);
	box[3] = clip(geometry_y(g, b->y2), g->height);
}

/* Returns whether a part of a box is visible on the picture. */
static bool
is_visible(const float box[4])
{
	return (double)box[2] - box[0] >= LEAST_SIDE &&
	    (double)box[3] - box[1] >= LEAST_SIDE;
}

/* Computes corners from centre and sides.  Returns false if they or the area
 * are not finite. */
static bool
corners(const float *x, size_t n, struct nms_box *b)
{
	float w = x[2 * n], h = x[3 * n];

	*b = (struct nms_box){ x[0] - w / 2, x[n] - h / 2, x[0] + w / 2,
	    x[n] + h / 2 };
	return isfinite(b->x1) && isfinite(b->y1) && isfinite(b->x2) &&
	    isfinite(b->y2) && isfinite((b->x2 - b->x1) * (b->y2 - b->y1));
}

/* Converts parts of the input to pixels. */
static void
to_pixels(float *x, size_t n, const struct geometry *g)
{
	for (size_t side = 0; side < 4; side++)
		for (size_t i = 0; i < n; i++)
			*x++ *= (float)(side % 2 == 0 ? g->in_width :
			    g->in_height);
}

/* Finds, among the n boxes above the threshold, those that can be
 * detections. */
static size_t
find_candidates(struct yolo *y, size_t n, const bool *wanted,
    struct yolo_counts *counts)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		struct candidate *c = &y->candidates[found];

		c->class = y->class[i];
		c->confidence = y->x[4 * n + i];
		if ((wanted != NULL && !wanted[c->class]) ||
		    !corners(y->x + i, n, &c->box))
			continue;
		counts->candidates++;
		/* A negative side: the box would suppress nothing. */
		if (c->box.x1 > c->box.x2 || c->box.y1 > c->box.y2)
			counts->degenerate++;
		else
			found++;
	}
	return found;
}

/* ---- Order ------------------------------------------------------------ */

/* Sorts by one byte of a radix sort.  Returns false if all have the same
 * byte. */
static bool
sort_by_byte(const uint64_t *from, uint64_t *to, size_t n, unsigned shift)
{
	size_t at[256] = { 0 }, next = 0, count;

	for (size_t i = 0; i < n; i++)
		at[from[i] >> shift & 0xff]++;
	if (at[from[0] >> shift & 0xff] == n)
		return false;
	for (size_t b = 0; b < 256; b++) {
		count = at[b];
		at[b] = next;
		next += count;
	}
	for (size_t i = 0; i < n; i++)
		to[at[from[i] >> shift & 0xff]++] = from[i];
	return true;
}

/*
 * Returns the indices of the candidates, best first; equal candidates keep
 * their order.  The sort is stable, and the bits of floats above 0 have the
 * same order as the floats.
 */
static const uint64_t *
sort(struct yolo *y, size_t n)
{
	uint64_t *from = y->order, *to = y->spare, *swap;
	uint32_t bits;

	for (size_t i = 0; i < n; i++) {
		memcpy(&bits, &y->candidates[i].confidence, sizeof(bits));
		from[i] = (uint64_t)~bits << 32 | i;
	}
	for (unsigned shift = 32; n > 0 && shift < 64; shift += 8) {
		if (!sort_by_byte(from, to, n, shift))
			continue;
		swap = from;
		from = to;
		to = swap;
	}
	return from;
}

/* ---- Decoding --------------------------------------------------------- */

/* Finds the indices of the boxes that are kept, among the n candidates in
 * order. */
static size_t
choose(struct yolo *y, const uint64_t *order, size_t n,
    const struct yolo_options *o, size_t most)
{
	uint32_t groups = o->agnostic ? 1 : y->scan.shape.classes;

	if (o->no_nms) {
		for (size_t i = 0; i < n && i < most; i++)
			y->place[i] = (uint32_t)i;
		return n < most ? n : most;
	}
	for (size_t i = 0; i < n; i++) {
		const struct candidate *c = &y->candidates[(uint32_t)order[i]];

		y->boxes[i] = c->box;
		y->group[i] = o->agnostic ? 0 : c->class;
	}
	return nms(&y->nms, y->boxes, y->group, groups, n, (float)o->iou, most,
	    y->place);
}

/* Returns data itself, or a copy that is aligned for its elements. */
static const void *
align(struct yolo *y, const void *data)
{
	size_t size = npu_dtype_size(y->scan.t.dtype);

	if ((uintptr_t)data % size == 0)
		return data;
	if (y->aligned == NULL && (y->aligned = malloc(y->size)) == NULL)
		return NULL;
	return memcpy(y->aligned, data, y->size);
}

/* Creates detections from the first n of place.  Returns how many are
 * visible. */
static size_t
put_on_picture(struct yolo *y, const uint64_t *order, size_t n,
    const struct geometry *g)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		const struct candidate *c =
		    &y->candidates[(uint32_t)order[y->place[i]]];
		struct detection *d = &y->found[found];

		d->class = c->class;
		d->confidence = c->confidence;
		on_picture(g, &c->box, d->box);
		found += is_visible(d->box);
	}
	return found;
}

/* Boxes that are not visible are dropped last, as in Ultralytics: a box in the
 * gray around the picture suppresses others. */
static size_t
detect(struct yolo *y, size_t n, const struct geometry *g,
    const struct yolo_options *o, struct yolo_counts *c)
{
	size_t most = o->max > 0 ? o->max : YOLO_MAX_CANDIDATES, found;
	const uint64_t *order;

	n = find_candidates(y, n, o->classes, c);
	order = sort(y, n);
	if (n > YOLO_MAX_CANDIDATES) {
		c->beyond = n - YOLO_MAX_CANDIDATES;
		n = YOLO_MAX_CANDIDATES;
	}
	/* One more than wanted shows whether there are more. */
	found = choose(y, order, n, o, most + 1);
	c->more = found > most;
	if (c->more)
		found = most;
	n = put_on_picture(y, order, found, g);
	c->degenerate += found - n;
	return n;
}

int
yolo_decode(struct yolo *y, const void *data, const struct geometry *g,
    const struct yolo_options *o, const struct detection **detections,
    size_t *found, struct yolo_counts *counts, struct npu_err *err)
{
	struct yolo_counts c = { 0 };
	size_t n;
	int rc;

	if (!(o->conf >= 0 && o->conf <= 1 && o->iou >= 0 && o->iou <= 1))
		return npu_fail(err, NPU_EUSAGE, "thresholds are from 0 to 1");
	if ((data = align(y, data)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	n = scan_boxes(&y->scan, data, o->conf, y->where, y->class);
	c.not_finite = scan_not_finite(&y->scan, data);
	if ((rc = scan_numbers(&y->scan, data, y->where, y->class, n, y->q,
	    y->x, err)) < 0)
		return rc;
	y->above = n;
	if (o->parts)
		to_pixels(y->x, n, g);
	*found = detect(y, n, g, o, &c);
	*detections = y->found;
	if (counts != NULL)
		*counts = c;
	return 0;
}

int
yolo_check(struct yolo *y, const void *data, const struct geometry *g,
    const struct yolo_options *o, struct npu_err *err)
{
	int rc;

	if ((data = align(y, data)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if ((rc = head_check(&y->scan, data, g, err)) < 0)
		return rc;
	/* 8-bit tensors that hold scores end far below the sides of boxes. */
	if (!o->parts && (npu_dtype_size(y->scan.t.dtype) == 1 ||
	    (rc = head_check_pixels(y->x, y->above, g, err)) == 0))
		return 0;
	/* The boxes are parts, so key points would be between 0 and 1. */
	if (head_check_points(&y->scan, data, err) < 0)
		return NPU_EFORMAT;
	return o->parts ? head_check_parts(y->x, y->above, g, err) : rc;
}
