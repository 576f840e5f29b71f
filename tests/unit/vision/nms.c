// SPDX-License-Identifier: Apache-2.0
/*
 * Compares random answers with rules written out as simply as possible.  All
 * numbers are multiples of 1/4, so areas are compared as integers.
 */
#include <math.h>

#include "yolo.h"

enum { MOST_BOXES = 200, MOST_CLASSES = 5, ROUNDS = 400 };

static uint32_t state = 1;

/* Returns a number from 0 to n - 1, by xorshift. */
static uint32_t
below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state % n;
}

static float rows[(4 + MOST_CLASSES) * MOST_BOXES];

static const struct store stores[] = {
	{ NPU_F32, 1, 0, false }, { NPU_F16, 1, 0, false },
	{ NPU_BF16, 1, 0, false }, { NPU_U8, 4, 0, false },
	{ NPU_S8, 4, 128, false }, { NPU_S16, 400, 3, false },
	{ NPU_U16, 800, -5, false },
};

/* Draws centres on a grid of 1/2 from 0 to 63, sides on a grid of 1, and scores
 * in quarters.  With floats, some numbers are not finite. */
static void
draw(struct answer *a, bool floats)
{
	static const float odd[] = { INFINITY, -INFINITY, NAN, -NAN };
	size_t n;

	a->boxes = 1 + below(MOST_BOXES);
	a->classes = 1 + below(MOST_CLASSES);
	a->rows = rows;
	n = (4 + a->classes) * a->boxes;
	for (size_t i = 0; i < n; i++) {
		size_t row = i / a->boxes;

		rows[i] = row < 2 ? (float)below(127) / 2 :
		    row < 4 ? (float)(below(4) * 10 + below(2)) :
		    (float)below(5) / 4;
		if (floats && below(100) == 0)
			rows[i] = odd[below(4)];
		if (floats && row > 3 && below(10) == 0)
			rows[i] = -rows[i];
	}
}

/* Corners times 4.  Sides are at most 31. */
struct box {
	int x1, y1, x2, y2;
	uint32_t class;
	float score;
	size_t from;
};

static float
at(const struct answer *a, size_t row, size_t box)
{
	return a->rows[row * a->boxes + box];
}

/* Makes a candidate of box i.  Returns false if the box is not a candidate. */
static bool
candidate(const struct answer *a, size_t i, const struct yolo_options *o,
    struct box *b)
{
	float best = 0, cx = at(a, 0, i), cy = at(a, 1, i), w = at(a, 2, i),
	    h = at(a, 3, i);

	for (uint32_t c = 0; c < a->classes; c++) {
		if (isfinite(at(a, 4 + c, i)) && at(a, 4 + c, i) > best) {
			best = at(a, 4 + c, i);
			b->class = c;
		}
	}
	if (!((double)best > o->conf) || !isfinite(cx) || !isfinite(cy) ||
	    !isfinite(w) || !isfinite(h) || (o->classes != NULL &&
	    !o->classes[b->class]))
		return false;
	b->score = best;
	b->from = i;
	b->x1 = (int)(4 * cx - 2 * w);
	b->x2 = (int)(4 * cx + 2 * w);
	b->y1 = (int)(4 * cy - 2 * h);
	b->y2 = (int)(4 * cy + 2 * h);
	return b->x2 >= b->x1 && b->y2 >= b->y1;
}

/* Returns true if the part of the box within 0 to 64 has an area. */
static bool
is_visible(const struct box *b)
{
	return b->x2 > b->x1 && b->y2 > b->y1 && b->x2 > 0 && b->y2 > 0 &&
	    b->x1 < 4 * SIDE && b->y1 < 4 * SIDE;
}

static int
smaller(int a, int b)
{
	return a < b ? a : b;
}

static int
larger(int a, int b)
{
	return a > b ? a : b;
}

/* Returns true if the IoU of two boxes is above this number of quarters. */
static bool
overlap(const struct box *a, const struct box *b, int quarters)
{
	int w = smaller(a->x2, b->x2) - larger(a->x1, b->x1);
	int h = smaller(a->y2, b->y2) - larger(a->y1, b->y1);
	int both = w > 0 && h > 0 ? w * h : 0;
	int either = (a->x2 - a->x1) * (a->y2 - a->y1) +
	    (b->x2 - b->x1) * (b->y2 - b->y1) - both;

	return 4 * both > quarters * either;
}

/* Returns the best box that is not taken: the highest score, then the first
 * box.  Returns n if all are taken. */
static size_t
next(const struct box *b, const bool *taken, size_t n)
{
	size_t best = n;

	for (size_t i = 0; i < n; i++)
		if (!taken[i] && (best == n || b[i].score > b[best].score))
			best = i;
	return best;
}

/* Applies the rules.  *stayed is the number of boxes that suppression left,
 * visible or not.  Returns the number of visible boxes. */
static size_t
restated(const struct answer *a, const struct yolo_options *o,
    struct box *kept, size_t *stayed)
{
	struct box b[MOST_BOXES];
	bool taken[MOST_BOXES] = { false };
	size_t n = 0, found = 0, visible = 0, i, k;

	for (i = 0; i < a->boxes; i++)
		n += candidate(a, i, o, &b[n]);
	while ((i = next(b, taken, n)) < n && (o->max == 0 || found < o->max)) {
		taken[i] = true;
		for (k = 0; k < found; k++)
			if (!o->no_nms && (o->agnostic ||
			    kept[k].class == b[i].class) && overlap(&b[i],
			    &kept[k], (int)(4 * o->iou)))
				break;
		if (k == found)
			kept[found++] = b[i];
	}
	*stayed = found;
	for (i = 0; i < found; i++)
		if (is_visible(&kept[i]))
			kept[visible++] = kept[i];
	return visible;
}

static float
edge(int quarters)
{
	return (float)smaller(larger(quarters, 0), 4 * SIDE) / 4;
}

static bool
equal(const struct detection *d, const struct box *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (d[i].class != b[i].class ||
		    d[i].confidence != b[i].score ||
		    d[i].box[0] != edge(b[i].x1) ||
		    d[i].box[1] != edge(b[i].y1) ||
		    d[i].box[2] != edge(b[i].x2) ||
		    d[i].box[3] != edge(b[i].y2))
			return false;
	return true;
}

static uint64_t
odd_ones(const struct answer *a)
{
	uint64_t n = 0;

	for (size_t i = 0; i < (4 + a->classes) * a->boxes; i++)
		n += !isfinite(a->rows[i]);
	return n;
}

/* Compares one answer with one set of options.  Returns true if both agree. */
static bool
agree(struct store s, size_t *objects)
{
	static struct detection d[MOST_BOXES];
	static struct box kept[MOST_BOXES];
	bool wanted[MOST_CLASSES];
	struct yolo_options o = { .conf = below(4) / 4.0,
	    .iou = below(5) / 4.0, .max = below(3) * 10,
	    .agnostic = below(4) == 0, .no_nms = below(8) == 0 };
	struct yolo_counts counts;
	struct answer a;
	size_t n, m, stayed;
	bool limited;

	for (int c = 0; c < MOST_CLASSES; c++)
		wanted[c] = below(2) == 0;
	o.classes = below(4) == 0 ? wanted : NULL;
	s.boxes_first = below(2) == 0;
	draw(&a, npu_dtype_is_float(s.dtype));
	n = find(&a, s, &same, &o, d, MOST_BOXES, &counts);
	m = restated(&a, &o, kept, &stayed);
	*objects += n;
	if (n != m || !equal(d, kept, n) || counts.not_finite != odd_ones(&a))
		return false;
	limited = o.max > 0 && stayed == o.max;
	m = stayed;
	o.max = 0;
	restated(&a, &o, kept, &stayed);
	return counts.more == (limited && stayed > m);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(stores) / sizeof(*stores); i++) {
		size_t wrong = 0, objects = 0;

		for (int k = 0; k < ROUNDS; k++)
			wrong += !agree(stores[i], &objects);
		ok(wrong == 0 && objects > 5 * ROUNDS, "%s: %zu of %d answers "
		    "differ, with %zu objects", npu_dtype_name(stores[i].dtype),
		    wrong, ROUNDS, objects);
	}
	return done();
}
