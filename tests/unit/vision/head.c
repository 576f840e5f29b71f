// SPDX-License-Identifier: Apache-2.0
/*
 * Tests tensors of other heads, made from Ultralytics' definitions of what
 * follows the classes: key points in pixels with a visibility; 32 coefficients
 * of a mask; an angle from -pi/4 to 3 pi/4.  Also tests scores before the
 * sigmoid.
 */
#include <math.h>

#include "vision/head.h"
#include "yolo.h"

enum { BOXES = 12, ROOM = 4 + 200 };

static const struct yolo_options defaults = { .conf = .25, .iou = .7 };
static float rows[ROOM * BOXES];

/* Makes boxes of 10 by 10 pixels that each have one score of 0.75, with behind
 * numbers after the classes. */
static struct answer
detector(uint32_t classes, uint32_t behind)
{
	memset(rows, 0, sizeof(rows));
	for (uint32_t b = 0; b < BOXES; b++) {
		rows[b] = rows[BOXES + b] = 20 + (float)b;
		rows[2 * BOXES + b] = rows[3 * BOXES + b] = 10;
		rows[(4 + b % classes) * BOXES + b] = .75F;
	}
	return (struct answer){ BOXES, classes + behind, rows };
}

/* Returns the address of number i behind the classes, for box b. */
static float *
behind(uint32_t classes, uint32_t i, uint32_t b)
{
	return &rows[(4 + classes + i) * BOXES + b];
}

static struct answer
pose(uint32_t classes, uint32_t points)
{
	struct answer a = detector(classes, 3 * points);

	for (uint32_t b = 0; b < BOXES; b++)
		for (uint32_t i = 0; i < points; i++) {
			*behind(classes, 3 * i, b) = 15 + (float)(i + b);
			*behind(classes, 3 * i + 1, b) = 25 + (float)(i + b);
			*behind(classes, 3 * i + 2, b) = .9F;
		}
	return a;
}

static struct answer
segmentation(uint32_t classes)
{
	struct answer a = detector(classes, 32);

	for (uint32_t b = 0; b < BOXES; b++)
		for (uint32_t i = 0; i < 32; i++)
			*behind(classes, i, b) = ((i + b) % 2 ? 1.5F : -1.5F);
	return a;
}

static struct answer
rotated(uint32_t classes, float angle)
{
	struct answer a = detector(classes, 1);

	for (uint32_t b = 0; b < BOXES; b++)
		*behind(classes, 0, b) = angle;
	return a;
}

static struct answer
raw_scores(uint32_t classes)
{
	struct answer a = detector(classes, 0);

	for (uint32_t i = 0; i < classes * BOXES; i++)
		rows[4 * BOXES + i] = rows[4 * BOXES + i] > 0 ? 3 : -6;
	return a;
}

/* Decodes a stored answer.  Returns the result, with the message in *err. */
static int
decode(const struct answer *a, struct store s, const struct geometry *g,
    const struct yolo_options *o, size_t *found, struct npu_err *err)
{
	struct yolo_shape shape = { (uint32_t)a->boxes, (uint32_t)a->classes,
	    s.boxes_first };
	const struct detection *d;
	struct npu_tensor t;
	struct yolo *y;
	void *q = stored(a, s, &t);
	int rc;

	if (yolo_open(&y, &t, &shape, NULL) < 0)
		exit(2);
	rc = yolo_decode(y, q, g, o, &d, found, NULL, err);
	if (rc == 0)
		rc = yolo_check(y, q, g, o, err);
	yolo_close(y);
	free(q);
	return rc;
}

/* Makes key points in boxes of 0.3 x 0.3 around the middle of the input. */
static struct answer
pose_in_parts(uint32_t classes, uint32_t points)
{
	struct answer a = pose(classes, points);

	for (uint32_t b = 0; b < BOXES; b++) {
		rows[b] = rows[BOXES + b] = .5F;
		rows[2 * BOXES + b] = rows[3 * BOXES + b] = .3F;
		for (uint32_t i = 0; i < points; i++) {
			*behind(classes, 3 * i, b) = .35F + (float)b / 40;
			*behind(classes, 3 * i + 1, b) = .4F + (float)i / 90;
			*behind(classes, 3 * i + 2, b) = (float)(b % 2) * .9F;
		}
	}
	return a;
}

static void
refused(const char *kind, struct answer a)
{
	static const struct store stores[] = {
		{ NPU_F32, 1, 0, false }, { NPU_F32, 1, 0, true },
		{ NPU_F16, 1, 0, false }, { NPU_BF16, 1, 0, true },
		{ NPU_S16, 200, 0, false }, { NPU_U16, 400, -10000, true },
	};
	struct npu_err err = { .msg = "" };
	size_t found;

	for (size_t i = 0; i < sizeof(stores) / sizeof(*stores); i++)
		ok(decode(&a, stores[i], &same, &defaults, &found, &err) ==
		    NPU_EFORMAT && strstr(err.msg, kind) != NULL,
		    "%zu numbers a box as %s, %s first, are refused: %s",
		    4 + a.classes,
		    npu_dtype_name(stores[i].dtype),
		    stores[i].boxes_first ? "boxes" : "classes", err.msg);
}

static void
taken(struct answer a, struct store s, const char *what)
{
	struct npu_err err = { .msg = "" };
	size_t found = 0;

	ok(decode(&a, s, &same, &defaults, &found, &err) == 0 && found > 0,
	    "%s: the tensor is decoded%s%s",
	    what, *err.msg ? ": " : "", err.msg);
}

static void
other_heads(void)
{
	refused("a pose head", pose(1, 17));
	refused("a pose head", pose(3, 5));
	refused("a segmentation head", segmentation(1));
	refused("a segmentation head", segmentation(80));
	refused("an OBB head", rotated(15, -.75F));
	refused("an OBB head", rotated(1, 2.25F));
	refused("before the sigmoid", raw_scores(1));
	refused("before the sigmoid", raw_scores(80));
}

/* Tests scores outside 0 to 1.  At most 0.01 or a step of the type, if larger,
 * is taken for rounding. */
static void
rounding(void)
{
	struct answer a = detector(3, 0);

	rows[4 * BOXES] = 1.009F;
	rows[5 * BOXES] = -.009F;
	taken(a, AS_F32, "scores 0.009 beyond 0 and 1");
	taken(a, (struct store){ NPU_S16, 40, 0, false },
	    "a score of 1 and a step of 0.025");
	rows[4 * BOXES] = 1.02F;
	refused("scores from", a);
	rows[4 * BOXES] = 1;
	rows[5 * BOXES] = -.02F;
	refused("scores from", a);
	rows[5 * BOXES] = -INFINITY;
	rows[6 * BOXES] = NAN;
	taken(a, AS_F32, "scores that are not finite");
}

static void
parts(void)
{
	struct yolo_options o = defaults;
	struct answer a = detector(3, 0);
	const struct geometry small = { 8, 8, 8, 8, 8, 8, 0, 0 };
	struct npu_err err = { .msg = "" };
	size_t found;

	for (size_t i = 0; i < 4 * BOXES; i++)
		rows[i] /= SIDE;
	refused("--coordinates=parts", a);
	ok(decode(&a, AS_F32, &small, &o, &found, &err) == 0 && found > 0,
	    "boxes of less than a pixel are decoded in an input of 8 x 8");
	o.parts = true;
	ok(decode(&a, AS_F32, &same, &o, &found, &err) == 0 && found > 0,
	    "boxes in parts of the input are decoded with --coordinates=parts");
	a = detector(3, 0);
	ok(decode(&a, AS_F32, &same, &o, &found, &err) == NPU_EFORMAT &&
	    strstr(err.msg, "leave --coordinates=parts out") != NULL,
	    "boxes in pixels are refused with --coordinates=parts: %s",
	    err.msg);
	ok(decode(&a, AS_F32, &small, &o, &found, &err) == 0,
	    "boxes in pixels are decoded with this option in an input of 8 x "
	    "8");
}

static void
poses_in_parts(void)
{
	static const uint32_t heads[][2] = { { 1, 17 }, { 3, 5 }, { 1, 1 } };
	static const struct store stores[] = { { NPU_F32, 1, 0, false },
	    { NPU_F16, 1, 0, true }, { NPU_U16, 60000, 0, true } };
	struct npu_err err = { .msg = "" };
	struct answer a;
	size_t found;

	for (size_t h = 0; h < sizeof(heads) / sizeof(*heads); h++)
		for (size_t i = 0; i < 6; i++) {
			struct yolo_options o = defaults;

			o.parts = i % 2;
			a = pose_in_parts(heads[h][0], heads[h][1]);
			ok(decode(&a, stores[i / 2], &same, &o, &found, &err)
			    == NPU_EFORMAT && strstr(err.msg, "a pose head")
			    != NULL, "a pose head of %u classes, %u key points "
			    "is refused with%s the option: %s",
			    heads[h][0], heads[h][1],
			    i % 2 ? "" : "out", err.msg);
		}
}

/* Tests boxes that each have a second likely class, of 7 classes. */
static void
two_likely_classes(void)
{
	const struct yolo_options o = { .conf = .25, .iou = .7, .parts = true };
	struct answer a = detector(7, 0);
	struct npu_err err = { .msg = "" };
	size_t found;

	for (uint32_t b = 0; b < BOXES; b++) {
		for (uint32_t i = 0; i < 4; i++)
			rows[i * BOXES + b] /= SIDE;
		rows[(4 + (b + 1) % 7) * BOXES + b] = .5F;
	}
	ok(decode(&a, AS_F32, &same, &o, &found, &err) == 0 && found > 0,
	    "boxes in parts with two likely classes of 7 are decoded");
}

/* Tests rows of corners, score, class, or with score and class exchanged; in
 * both orders of the axes, and both orders of the boxes. */
static void
end_to_end(float second_class, float step, bool boxes_first, bool exchanged)
{
	const uint32_t score = exchanged ? 5 : 4, class = exchanged ? 4 : 5;
	const char *order = exchanged ? "an end-to-end head (corners, class, "
	    "score)" : "an end-to-end head (corners, score, class)";
	struct answer a = detector(2, 0);
	struct npu_err err = { .msg = "" };
	size_t found;

	memset(rows, 0, sizeof(rows));
	for (uint32_t b = 0; b < 2; b++) {
		rows[b] = rows[BOXES + b] = 10;
		rows[2 * BOXES + b] = rows[3 * BOXES + b] = 30;
		rows[score * BOXES + b] = .5F + (float)b * step;
	}
	rows[class * BOXES + 1] = second_class;
	rows[4 * BOXES + 2] = rows[5 * BOXES + 2] = -1;
	ok(decode(&a, (struct store){ NPU_F32, 1, 0, boxes_first }, &same,
	    &defaults,
	    &found, &err) == NPU_EFORMAT &&
	    strstr(err.msg, order) != NULL,
	    "an end-to-end head with class %g, %s, steps of %g is refused: %s",
	    (double)second_class, boxes_first ? "boxes first" :
	    "numbers first", (double)step, err.msg);
}

/* Tests a class whose scores are all 0, as class numbers of an end-to-end head
 * may be.  The boxes are not corners, so it is not such a head. */
static void
two_classes(uint32_t without)
{
	struct answer a = detector(2, 0);
	struct npu_err err = { .msg = "" };
	size_t found;

	for (uint32_t b = 0; b < BOXES; b++)
		rows[(4 + without) * BOXES + b] = 0;
	ok(decode(&a, AS_F32, &same, &defaults, &found, &err) == 0,
	    "two classes without any score for class %u are decoded", without);
}

static void
by_size(void)
{
	static const struct {
		uint32_t numbers, names;
		const char *like;
	} cases[] = {
		{ 56, 1, "pose head (4 + 1 + 3 x 17)" },
		{ 22, 3, "pose head (4 + 3 + 3 x 5)" },
		{ 116, 80, "segmentation head (4 + 80 + 32)" },
		{ 37, 1, "segmentation head (4 + 1 + 32)" },
		{ 20, 15, "OBB head" },
		{ 85, 80, "YOLOv5" },
		{ 6, 80, "end-to-end head" },
	};
	char buf[160];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		head_by_size(cases[i].numbers, cases[i].names, buf,
		    sizeof(buf));
		ok(strstr(buf, cases[i].like) != NULL,
		    "for %u numbers a box and %u names, the message names a "
		    "head%s", cases[i].numbers,
		    cases[i].names, buf);
	}
	head_by_size(84, 59, buf, sizeof(buf));
	ok(buf[0] != '\0',
	    "if 21 = 3 x 7 numbers are left, the message names a head");
	head_by_size(84, 79 - 3, buf, sizeof(buf));
	ok(buf[0] == '\0', "if 4 numbers are left, the message names no head");
}

int
main(void)
{
	other_heads();
	rounding();
	parts();
	poses_in_parts();
	two_likely_classes();
	for (int first = 0; first < 4; first++) {
		end_to_end(0, -.25F, first % 2, first / 2);
		end_to_end(1, .25F, first % 2, first / 2);
		end_to_end(16, 0, first % 2, first / 2);
		end_to_end(40, 0, first % 2, first / 2);
	}
	two_classes(0);
	two_classes(1);
	by_size();
	return done();
}
