// SPDX-License-Identifier: Apache-2.0
/* Tests detections in answers that are small enough to work out by hand. */
#include <math.h>

#include "yolo.h"

#define BOXES(r) (sizeof((r)[0]) / sizeof((r)[0][0]))
#define ANSWER(r) &(struct answer){ BOXES(r), \
    sizeof(r) / sizeof((r)[0]) - 4, (r)[0] }

static struct detection d[16];
static struct yolo_counts counts;

/* Returns true if d[i] has this class, score and box. */
static bool
is(size_t i, uint32_t class, float confidence, float x1, float y1, float x2,
    float y2)
{
	const float *b = d[i].box;

	if (d[i].class == class && d[i].confidence == confidence &&
	    b[0] == x1 && b[1] == y1 && b[2] == x2 && b[3] == y2)
		return true;
	diag("%zu: class %u %g, [%g, %g, %g, %g]", i, d[i].class,
	    (double)d[i].confidence, (double)b[0], (double)b[1],
	    (double)b[2], (double)b[3]);
	return false;
}

/*
 * Tests boxes [0,30] x [0,10] and [10,40] x [0,10].  They share 20 x 10 and
 * together cover 300 + 300 - 200, so IoU is exactly 1/2.
 */
static void
half(void)
{
	static const float rows[][2] = { { 15, 25 }, { 5, 5 }, { 30, 30 },
	    { 10, 10 }, { .5f, .75f } };
	struct yolo_options o = { .conf = .25, .iou = .5 };

	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, NULL) == 2 &&
	    is(0, 0, .75f, 10, 0, 40, 10) && is(1, 0, .5f, 0, 0, 30, 10),
	    "an IoU equal to the threshold does not suppress a box");
	o.iou = (double)nextafterf(.5f, 0);
	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, NULL) == 1 &&
	    is(0, 0, .75f, 10, 0, 40, 10),
	    "an IoU above the threshold suppresses the worse box, which comes "
	    "first");
	o.no_nms = true;
	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, NULL) == 2,
	    "without suppression, both boxes remain");
}

/*
 * Tests boxes [0,56] and [43,100], 9 high.  They share 117 of 900, so IoU is
 * 0.13 and rounds as 0.13 does.  However, the rounded 0.13 times 900 is below
 * 117.
 */
static void
thirteen(void)
{
	static const float rows[][2] = { { 28, 71.5f }, { 9, 9 },
	    { 56, 57 }, { 9, 9 }, { .5f, .75f } };
	struct yolo_options o = { .conf = .25, .iou = .13 };

	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, NULL) == 2,
	    "an IoU of exactly 0.13 is not above 0.13");
	o.iou = (double)nextafterf(.13f, 0);
	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, NULL) == 1,
	    "an IoU of exactly 0.13 is above the float before 0.13");
}

/*
 * Tests that a suppressed box does not suppress others.  The boxes are 0..30,
 * 10..40 and 20..50, and the middle box has the best or the second best score.
 */
static void
chain(void)
{
	static const float middle_best[][3] = { { 15, 25, 35 }, { 5, 5, 5 },
	    { 30, 30, 30 }, { 10, 10, 10 }, { .5f, .75f, .25f } };
	static const float middle_second[][3] = { { 15, 25, 35 }, { 5, 5, 5 },
	    { 30, 30, 30 }, { 10, 10, 10 }, { .75f, .5f, .25f } };
	struct yolo_options o = { .conf = .125, .iou = .4 };

	ok(find(ANSWER(middle_best), AS_F32, &same, &o, d, 16, NULL) == 1 &&
	    is(0, 0, .75f, 10, 0, 40, 10),
	    "if the middle box is the best, it suppresses both neighbours");
	ok(find(ANSWER(middle_second), AS_F32, &same, &o, d, 16, NULL) == 2 &&
	    is(0, 0, .75f, 0, 0, 30, 10) && is(1, 0, .25f, 20, 0, 50, 10),
	    "if the middle box is suppressed, it does not suppress the third "
	    "box");
}

/* Tests the same box in three classes.  Of equal scores, the lowest class is
 * used. */
static void
classes(void)
{
	static const float rows[][4] = { { 20, 20, 20, 20 },
	    { 20, 20, 20, 20 }, { 10, 10, 10, 10 }, { 10, 10, 10, 10 },
	    { .5f, 0, .25f, .5f }, { .25f, .75f, .25f, .5f },
	    { 0, .5f, 0, .75f } };
	static const bool wanted[] = { true, false, true };
	struct yolo_options o = { .conf = .125, .iou = .5 };

	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, NULL) == 3 &&
	    is(0, 1, .75f, 15, 15, 25, 25) && is(1, 2, .75f, 15, 15, 25, 25) &&
	    is(2, 0, .5f, 15, 15, 25, 25),
	    "boxes of other classes are not suppressed; ties are in the "
	    "tensor's order");
	o.agnostic = true;
	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, NULL) == 1 &&
	    is(0, 1, .75f, 15, 15, 25, 25),
	    "with agnostic, boxes of other classes are suppressed");
	o.agnostic = false;
	o.no_nms = true;
	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, &counts) == 4 &&
	    is(3, 0, .25f, 15, 15, 25, 25) && counts.candidates == 4,
	    "if a box has equal scores, its class is the lowest of these");
	o.classes = wanted;
	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, NULL) == 3 &&
	    is(0, 2, .75f, 15, 15, 25, 25),
	    "a box whose best class is unwanted does not get a wanted class");
	o.max = 2;
	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, &counts) == 2 &&
	    is(1, 0, .5f, 15, 15, 25, 25) && counts.more,
	    "max keeps the best boxes, and more is true");
	o.max = 3;
	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, &counts) == 3 &&
	    !counts.more, "with exactly max boxes, more is false");
	o.conf = .5;
	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, NULL) == 1,
	    "a score equal to the threshold is not above it");
}

/* Tests scores that differ in only one of their bytes, first the last byte. */
static void
order(void)
{
	static const float rows[][5] = { { 10, 20, 30, 40, 50 },
	    { 10, 10, 10, 10, 10 }, { 4, 4, 4, 4, 4 }, { 4, 4, 4, 4, 4 },
	    { .5f, 0x1.000002p-1f, 0x1.0002p-1f, 0x1.02p-1f, .125f } };
	struct yolo_options o = { .conf = .0625, .iou = .5 };

	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, NULL) == 5 &&
	    d[0].confidence == rows[4][3] && d[1].confidence == rows[4][2] &&
	    d[2].confidence == rows[4][1] && d[3].confidence == .5f &&
	    d[4].confidence == .125f,
	    "boxes are sorted by all bits of their scores");
}

/*
 * Tests six boxes, 10 wide.  The first is good; the others have a score, a
 * centre or a side that is not finite.  An invalid score does not count, but
 * the score of the other class may.
 */
static void
not_finite(void)
{
	static const float rows[][6] = {
	    { 10, 20, 30, NAN, 50, 60 }, { 10, 10, 10, 10, 10, 10 },
	    { 10, 10, 10, 10, INFINITY, 10 }, { 10, 10, 10, 10, 10, 10 },
	    { .5f, NAN, INFINITY, .75f, .75f, -INFINITY },
	    { 0, 0, .25f, 0, 0, -NAN } };
	struct yolo_options o = { .conf = 0, .iou = .5 };

	for (int i = 0; i < 6; i++) {
		static const uint32_t types[] = { NPU_F32, NPU_F16, NPU_BF16 };
		struct store s = { types[i / 2], 1, 0, i % 2 };

		ok(find(ANSWER(rows), s, &same, &o, d, 16, &counts) == 2 &&
		    is(0, 0, .5f, 5, 5, 15, 15) && is(1, 1, .25f, 25, 5, 35,
		    15) && counts.not_finite == 6 && counts.candidates == 2,
		    "numbers that are not finite never win, %s%s",
		    npu_dtype_name(s.dtype), i % 2 ? ", transposed" : "");
	}
}

/* Tests scores of 0, -0 and below. */
static void
not_positive(void)
{
	static const float rows[][4] = { { 10, 20, 30, 40 },
	    { 10, 10, 10, 10 }, { 10, 10, 10, 10 }, { 10, 10, 10, 10 },
	    { -0.f, -1, 0, 1e-3f }, { 0, -.5f, -0.f, -9 } };
	struct yolo_options o = { .conf = 0, .iou = .5 };
	struct store f16 = { NPU_F16, 1, 0, false };

	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, NULL) == 1 &&
	    is(0, 0, 1e-3f, 35, 5, 45, 15),
	    "with a threshold of 0, a score must be more than 0");
	ok(find(ANSWER(rows), f16, &same, &o, d, 16, NULL) == 1,
	    "in f16, with a threshold of 0, a score must be more than 0");
}

/* Tests boxes inside the picture, across each edge, outside, without a width,
 * and narrower than 0.01. */
static void
edges(void)
{
	static const float rows[][7] = {
	    { 32, 0, 64, -10, 32, 32, 32 }, { 32, 32, 64, 32, 32, 32, 90 },
	    { 10, 20, 20, 10, 0, .005f, 10 }, { 10, 10, 20, 10, 10, 10, 10 },
	    { .9375f, .875f, .75f, .625f, .5f, .5f, .5f } };
	struct yolo_options o = { .conf = .25, .iou = .5 };
	/* The picture is half as large in the input, with bars of 16 pixels on
	 * the left and the right. */
	const struct geometry box = { 64, 128, 32, 64, SIDE, SIDE, 16, 0 };

	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, &counts) == 3 &&
	    is(0, 0, .9375f, 27, 27, 37, 37) && is(1, 0, .875f, 0, 27, 10, 37)
	    && is(2, 0, .75f, 54, 54, 64, 64),
	    "boxes are cut at the picture's edges");
	ok(counts.degenerate == 4 && counts.candidates == 7,
	    "boxes outside the picture or without a side are dropped");
	ok(find(ANSWER(rows), AS_F32, &box, &o, d, 16, &counts) == 1 &&
	    is(0, 0, .9375f, 22, 54, 42, 74),
	    "letterboxing is undone, and boxes in the gray bars are dropped");
}

/* Tests numbers that all types can hold, stored in each type. */
static void
types(void)
{
	static const float rows[][3] = { { 15, 25, 40 }, { 5, 5, 40 },
	    { 30, 30, 8 }, { 10, 10, 8 }, { .5f, .75f, 0 },
	    { 0, .25f, .5f } };
	static const struct store stores[] = {
		{ NPU_F32, 1, 0, false }, { NPU_F16, 1, 0, false },
		{ NPU_BF16, 1, 0, false }, { NPU_U8, 4, 0, false },
		{ NPU_S8, 2, 0, false }, { NPU_S8, 4, 128, false },
		{ NPU_S16, 500, 0, false }, { NPU_S16, 1000, 32768, false },
		{ NPU_U16, 1000, 0, false }, { NPU_U16, 500, -700, false },
	};
	struct yolo_options o = { .conf = .3, .iou = .49 };

	for (size_t i = 0; i < 2 * sizeof(stores) / sizeof(*stores); i++) {
		struct store s = stores[i / 2];
		const bool coarse = s.dtype == NPU_S8 && s.scale == 2;

		s.boxes_first = i % 2;
		ok(find(ANSWER(rows), s, &same, &o, d, 16, NULL) == 2 &&
		    is(0, 0, coarse ? 1 : .75f, 10, 0, 40, 10) &&
		    is(1, 1, .5f, 36, 36, 44, 44),
		    "objects are found with %s scale %g zero %d%s",
		    npu_dtype_name(s.dtype), (double)s.scale, s.zero_point,
		    s.boxes_first ? ", transposed" : "");
	}
}

/* Tests corners or an area that exceed a float, from finite centres and
 * sides. */
static void
too_large(void)
{
	static const float rows[][6] = {
	    { 3e38f, 8, -3e38f, 8, 8, 8 }, { 8, 3e38f, 8, -3e38f, 8, 8 },
	    { 3e38f, 8, 3e38f, 8, 1e30f, 8 }, { 8, 3e38f, 8, 3e38f, 1e30f, 8 },
	    { .5f, .5f, .5f, .5f, .5f, .5f } };
	struct yolo_options o = { .conf = .25, .iou = .5 };

	ok(find(ANSWER(rows), AS_F32, &same, &o, d, 16, &counts) == 1 &&
	    is(0, 0, .5f, 4, 4, 12, 12) && counts.candidates == 1,
	    "boxes that cannot be computed are dropped");
}

/* Tests that a score is never above 1, and that thresholds must be from 0 to
 * 1. */
static void
thresholds(void)
{
	static const double bad[][2] = { { -.1, .5 }, { 1.1, .5 },
	    { (double)NAN, .5 }, { .5, -.1 }, { .5, 1.1 },
	    { .5, (double)NAN } };
	static const uint8_t q[] = { 100, 100, 100, 100, 255 };
	struct npu_tensor t = { .dtype = NPU_U8, .ndim = 2, .dim = { 5, 1 },
	    .scale = 255, .size = 5 };
	const struct yolo_shape shape = { 1, 1, false };
	struct yolo_options o = { .conf = 1, .iou = .5 };
	const struct detection *found;
	struct npu_err err;
	struct yolo *y;
	size_t n;

	if (yolo_open(&y, &t, &shape, NULL) < 0)
		exit(2);
	ok(yolo_decode(y, q, &same, &o, &found, &n, NULL, &err) == 0 &&
	    n == 0, "a score of 1 is not above a threshold of 1");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		o.conf = bad[i][0];
		o.iou = bad[i][1];
		ok(yolo_decode(y, q, &same, &o, &found, &n, NULL, &err) ==
		    NPU_EUSAGE,
		    "thresholds %g and %g are refused: %s", o.conf, o.iou,
		    err.msg);
	}
	yolo_close(y);
}

/* Tests tensors that are not the output of a detector. */
static void
refusals(void)
{
	static const struct {
		struct npu_tensor t;
		const char *says;
	} row[] = {
		{ { .dtype = NPU_S32, .scale = 1, .size = 20 },
		    "type s32 cannot be decoded" },
		{ { .dtype = 999, .scale = 1, .size = 20 },
		    "type unknown cannot be decoded" },
		{ { .dtype = NPU_F32, .scale = 1, .size = 24 },
		    "24 bytes are not 1 boxes of 4 + 1 numbers" },
	};
	const struct yolo_shape shape = { 1, 1, false };
	struct yolo_options o = { .conf = .5, .iou = .5 };
	struct npu_tensor t = { .dtype = NPU_S8, .size = 5 };
	const struct detection *found;
	struct npu_err err;
	struct yolo *y;
	size_t n;

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++)
		ok(yolo_open(&y, &row[i].t, &shape, &err) == NPU_EUSAGE &&
		    strstr(err.msg, row[i].says) != NULL,
		    "a tensor that cannot be decoded is refused: %s", err.msg);
	if (yolo_open(&y, &t, &shape, NULL) < 0)
		exit(2);
	ok(yolo_decode(y, "\1\1\1\1\1", &same, &o, &found, &n, NULL,
	    &err) == NPU_EUSAGE,
	    "a tensor without a scale is refused: %s", err.msg);
	yolo_close(y);
}

int
main(void)
{
	half();
	thirteen();
	chain();
	classes();
	order();
	not_finite();
	not_positive();
	edges();
	types();
	too_large();
	thresholds();
	refusals();
	return done();
}
