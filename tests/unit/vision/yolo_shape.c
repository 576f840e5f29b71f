// SPDX-License-Identifier: Apache-2.0
/* Tests which axis is which, and tensors that are not an answer of a
 * detector. */
#include <string.h>

#include "tap.h"
#include "vision/yolo.h"

#define MANY (1u << 20)

static const struct {
	uint32_t ndim, dim[6];
	enum yolo_layout layout;
	uint32_t names;
	const char *says;	/* error, or NULL for the following result */
	uint32_t boxes, classes;
	bool boxes_first;
} cases[] = {
	{ 3, { 1, 84, 8400 }, 0, 0, NULL, 8400, 80, false },
	{ 3, { 1, 8400, 84 }, 0, 0, NULL, 8400, 80, true },
	{ 2, { 84, 8400 }, 0, 0, NULL, 8400, 80, false },
	{ 4, { 1, 1, 5, 2100 }, 0, 0, NULL, 2100, 1, false },
	{ 3, { 1, 1207, 8400 }, 0, 0, NULL, 8400, 1203, false },
	{ 2, { 84, 337 }, 0, 0, NULL, 337, 80, false },
	{ 2, { 84, 336 }, 0, 0, "which axis of 84 x 336 is", 0, 0, 0 },
	{ 2, { 84, 84 }, 0, 0, "which axis of 84 x 84 is", 0, 0, 0 },
	{ 2, { 21, 84 }, 0, 0, "which axis of 21 x 84 is", 0, 0, 0 },
	/* A few boxes are rarer than a classifier, so --first is needed. */
	{ 2, { 1, 192 }, 0, 0, "1 x 192 is not an output of a YOLOv8, 4 + "
	    "classes numbers for each of many boxes, unless --first=boxes "
	    "says", 0, 0, 0 },
	{ 2, { 84, 1 }, 0, 0, "84 x 1 is not an output of a YOLOv8, 4 + "
	    "classes numbers for each of many boxes, unless --first=classes "
	    "says", 0, 0, 0 },
	{ 2, { 4, 84 }, 0, 0, "4 x 84 is not an output of a YOLOv8", 0, 0, 0 },
	{ 2, { 1, 5 }, 0, 0, "1 x 5 is not an output of a YOLOv8", 0, 0, 0 },
	{ 2, { 5, 8 }, 0, 0, "which axis of 5 x 8 is", 0, 0, 0 },
	{ 2, { 4, 4 }, 0, 0, "4 x 4 is not an output of a YOLOv8, 4 + classes "
	    "numbers for each of many boxes", 0, 0, 0 },
	{ 3, { 1, 1, 192 }, YOLO_BOXES_FIRST, 0, NULL, 1, 188, true },
	{ 2, { 84, 1 }, YOLO_CLASSES_FIRST, 0, NULL, 1, 80, false },
	{ 2, { 4, 84 }, YOLO_BOXES_FIRST, 0, NULL, 4, 80, true },
	{ 2, { 84, 1 }, 0, 80, NULL, 1, 80, false },
	{ 2, { 1, 5 }, 0, 1, NULL, 1, 1, true },
	/* The number of names decides, or contradicts. */
	{ 2, { 84, 336 }, 0, 80, NULL, 336, 80, false },
	{ 2, { 21, 84 }, 0, 80, NULL, 21, 80, true },
	{ 2, { 84, 84 }, 0, 80, "both axes of 84 x 84", 0, 0, 0 },
	{ 2, { 84, 8400 }, 0, 78, "84 x 8400 is not 4 + 78 classes for each "
	    "box, and there are 78 names", 0, 0, 0 },
	/* An axis of 5 + n belongs to another kind of detector. */
	{ 3, { 1, 25200, 85 }, 0, 80, "25200 x 85 is not 4 + 80 classes for "
	    "each box, and there are 80 names; if it is 5 + classes, as YOLOv5 "
	    "and YOLOX have, it is not decoded here", 0, 0, 0 },
	{ 2, { 84, 8400 }, 0, 79, "84 x 8400 is not 4 + 79 classes for each "
	    "box, and there are 79 names; if it is 5 + classes, as", 0, 0, 0 },
	{ 3, { 1, 25200, 85 }, YOLO_BOXES_FIRST, 80, "the model has 81 "
	    "classes, but there are 80 names; if it is 5 + classes, as YOLOv5 "
	    "and YOLOX have, it is not decoded here", 0, 0, 0 },
	{ 3, { 1, 25200, 85 }, 0, 81, NULL, 25200, 81, true },
	{ 3, { 1, 25200, 85 }, 0, 0, NULL, 25200, 81, true },
	/* --first decides in all cases. */
	{ 2, { 84, 84 }, YOLO_CLASSES_FIRST, 80, NULL, 84, 80, false },
	{ 2, { 84, 84 }, YOLO_BOXES_FIRST, 0, NULL, 84, 80, true },
	{ 2, { 84, 8400 }, YOLO_BOXES_FIRST, 0, NULL, 84, 8396, true },
	{ 2, { 84, 8400 }, YOLO_BOXES_FIRST, 80,
	    "the model has 8396 classes, but there are 80 names", 0, 0, 0 },
	{ 2, { 4, 84 }, YOLO_CLASSES_FIRST, 0, "4 x 84 cannot be 4 +", 0, 0,
	    0 },
	/* Limits. */
	{ 2, { 5, MANY }, 0, 0, NULL, MANY, 1, false },
	{ 2, { 5, MANY + 1 }, 0, 0, "cannot be 4 + 65536 classes at most for "
	    "each of 1048576 boxes", 0, 0, 0 },
	{ 2, { 65540, 9 }, YOLO_CLASSES_FIRST, 0, NULL, 9, 65536, false },
	{ 2, { 65541, 9 }, YOLO_CLASSES_FIRST, 0, "cannot be", 0, 0, 0 },
	{ 2, { UINT32_MAX, UINT32_MAX }, YOLO_BOXES_FIRST, UINT32_MAX,
	    "cannot be", 0, 0, 0 },
	{ 2, { 84, 0 }, YOLO_CLASSES_FIRST, 0, "84 x 0 cannot be", 0, 0, 0 },
	/* Shapes without two axes. */
	{ 7, { 1, 1, 1, 1, 84, 8400 }, 0, 0, "its 7 dimensions are not two", 0,
	    0, 0 },
	{ 0, { 0 }, 0, 0, "its shape is not known", 0, 0, 0 },
	{ 1, { 84 }, 0, 0, "its 1 dimensions are not two", 0, 0, 0 },
	{ 3, { 2, 84, 8400 }, 0, 0, "its 3 dimensions are not two", 0, 0, 0 },
	{ 4, { 1, 3, 640, 640 }, 0, 0, "its 4 dimensions are not two", 0, 0,
	    0 },
};

int
main(void)
{
	struct yolo_shape s;
	struct npu_tensor t;
	struct npu_err err;
	int rc;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		t = (struct npu_tensor){ .dtype = NPU_F16, .scale = 1,
		    .ndim = cases[i].ndim };
		memcpy(t.dim, cases[i].dim, sizeof(t.dim));
		err.msg[0] = '\0';
		rc = yolo_shape(&s, &t, cases[i].layout, cases[i].names, &err);
		if (cases[i].says != NULL)
			ok(rc == NPU_EUSAGE && strstr(err.msg, cases[i].says)
			    != NULL, "shape %zu is refused: %s", i, err.msg);
		else
			ok(rc == 0 && s.boxes == cases[i].boxes && s.classes ==
			    cases[i].classes && s.boxes_first ==
			    cases[i].boxes_first,
			    "shape %zu has %u boxes, %u classes%s",
			    i, s.boxes, s.classes, err.msg);
	}
	return done();
}
