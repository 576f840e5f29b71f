// SPDX-License-Identifier: Apache-2.0
/*
 * Tests boxes that are outside the picture.  Ultralytics first applies
 * non_max_suppression() to the model's input, which cuts at max_det, and then
 * scale_boxes(), which clips.  The reference below does the same with one pair
 * of boxes at a time.
 */
#include "yolo.h"

enum { COUNT = 600, CLASSES = 3, MOST = 100 };

static float rows[4 + CLASSES][COUNT];

static uint32_t seed;

/* Returns a number in [0, 1), by the generator of Numerical Recipes. */
static float
uniform(void)
{
	seed = seed * 1664525 + 1013904223;
	return (float)(seed >> 8) / (1 << 24);
}

/* Makes boxes with centres anywhere in the input, many in its gray bars. */
static void
make(void)
{
	for (int i = 0; i < COUNT; i++) {
		rows[0][i] = SIDE * uniform();
		rows[1][i] = SIDE * uniform();
		rows[2][i] = 16 * uniform();
		rows[3][i] = 16 * uniform();
		for (int k = 0; k < CLASSES; k++)
			rows[4 + k][i] = uniform();
	}
}

/* ---- The reference ------------------------------------------------------ */

struct box {
	int class, place;
	float score, x1, y1, x2, y2;
};

static int
better(const void *a, const void *b)
{
	const struct box *s = a, *t = b;

	if (s->score != t->score)
		return s->score > t->score ? -1 : 1;
	return s->place - t->place;
}

static int
candidates(struct box *c, float conf)
{
	int n = 0;

	for (int i = 0; i < COUNT; i++) {
		int best = 0;

		for (int k = 1; k < CLASSES; k++)
			if (rows[4 + k][i] > rows[4 + best][i])
				best = k;
		if (rows[4 + best][i] <= conf)
			continue;
		c[n++] = (struct box){ best, i, rows[4 + best][i],
		    rows[0][i] - rows[2][i] / 2, rows[1][i] - rows[3][i] / 2,
		    rows[0][i] + rows[2][i] / 2, rows[1][i] + rows[3][i] / 2 };
	}
	qsort(c, (size_t)n, sizeof(*c), better);
	return n;
}

static float
area(float x1, float y1, float x2, float y2)
{
	return x2 > x1 && y2 > y1 ? (x2 - x1) * (y2 - y1) : 0;
}

static float
larger(float a, float b)
{
	return a > b ? a : b;
}

static float
smaller(float a, float b)
{
	return a < b ? a : b;
}

static float
overlap(const struct box *a, const struct box *b)
{
	float both = area(larger(a->x1, b->x1), larger(a->y1, b->y1),
	    smaller(a->x2, b->x2), smaller(a->y2, b->y2));

	return both / (area(a->x1, a->y1, a->x2, a->y2) +
	    area(b->x1, b->y1, b->x2, b->y2) - both);
}

/* Keeps each of the n boxes that no better box of the same class covers.
 * Returns how many boxes are kept. */
static int
suppress(struct box *c, int n, float iou, int most)
{
	int kept = 0;

	for (int i = 0; i < n && kept < most; i++) {
		bool stays = true;

		for (int k = 0; k < kept && stays; k++)
			stays = c[k].class != c[i].class ||
			    overlap(&c[k], &c[i]) <= iou;
		if (stays)
			c[kept++] = c[i];
	}
	return kept;
}

/*
 * Scales boxes from the input to the picture, and clips them.  Drops boxes with
 * a side below 0.01, which we do not count as objects.  Returns the number of
 * boxes.
 */
static int
scale(struct box *c, int n, const struct geometry *g)
{
	const float by = (float)g->width / (float)g->to_width;
	int kept = 0;

	for (int i = 0; i < n; i++) {
		struct box b = c[i];

		b.x1 = smaller(larger((b.x1 - (float)g->left) * by, 0),
		    (float)g->width);
		b.x2 = smaller(larger((b.x2 - (float)g->left) * by, 0),
		    (float)g->width);
		b.y1 = smaller(larger((b.y1 - (float)g->top) * by, 0),
		    (float)g->height);
		b.y2 = smaller(larger((b.y2 - (float)g->top) * by, 0),
		    (float)g->height);
		if (b.x2 - b.x1 >= .01f && b.y2 - b.y1 >= .01f)
			c[kept++] = b;
	}
	return kept;
}

/* ---- The comparison ----------------------------------------------------- */

static bool
near(float a, float b)
{
	return a - b < 1e-3f && b - a < 1e-3f;
}

static bool
equal(const struct detection *d, const struct box *b)
{
	return d->class == (uint32_t)b->class && d->confidence == b->score &&
	    near(d->box[0], b->x1) && near(d->box[1], b->y1) &&
	    near(d->box[2], b->x2) && near(d->box[3], b->y2);
}

static void
compare(const struct geometry *g, float conf, float iou, uint32_t max)
{
	const struct answer a = { COUNT, CLASSES, rows[0] };
	const struct yolo_options o = { .conf = (double)conf,
	    .iou = (double)iou, .max = max };
	static struct detection d[COUNT];
	static struct box c[COUNT];
	struct yolo_counts counts;
	size_t n = find(&a, AS_F32, g, &o, d, COUNT, &counts);
	int kept, want, same_ones = 0;

	kept = suppress(c, candidates(c, conf), iou, (int)max);
	want = scale(c, kept, g);
	while (same_ones < want && same_ones < (int)n &&
	    equal(&d[same_ones], &c[same_ones]))
		same_ones++;
	ok(n == (size_t)want && same_ones == want &&
	    counts.degenerate == (uint64_t)(kept - want), "%g, %g, %u: %zu "
	    "objects, %d expected, %d equal, %d outside the picture",
	    (double)conf, (double)iou, max, n, want, same_ones, kept - want);
}

int
main(void)
{
	/* The picture is half as large in the input, with bars of 16 gray
	 * pixels on two sides. */
	static const struct geometry wide = { 128, 64, 64, 32, SIDE, SIDE, 0,
		16 };
	static const struct geometry high = { 64, 128, 32, 64, SIDE, SIDE, 16,
		0 };

	for (uint32_t s = 1; s <= 10; s++) {
		seed = s;
		make();
		compare(&wide, .25f, .7f, COUNT);
		compare(&high, .25f, .45f, COUNT);
		compare(&high, .9f, .2f, COUNT);
		compare(&wide, .25f, .7f, MOST);
	}
	return done();
}
