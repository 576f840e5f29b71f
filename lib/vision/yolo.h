/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes the output of a detector like YOLOv8 to objects on the picture.
 *
 * The tensor has 4 + n numbers for each box: centre x, centre y, width and
 * height in pixels of the model's input, then a score from 0 to 1 for each of n
 * classes.  Its shape is (4 + n, boxes), as Ultralytics exports it, or the
 * transpose.
 *
 * A box is a candidate if its best score is above the threshold.  If scores are
 * equal, the box gets the lowest class.  Numbers that are not finite are not
 * scores, and such boxes are dropped.  Candidates of a class are examined in
 * the order of their scores.  A candidate is suppressed if its IoU with a
 * better candidate that was kept is above the threshold, as in torchvision; at
 * exactly the threshold both are kept.  Finally, kept boxes outside the picture
 * are dropped.
 */
#ifndef VISION_YOLO_H
#define VISION_YOLO_H

#include <stdbool.h>
#include <stddef.h>

#include "npu.h"
#include "vision/geometry.h"

/* ---- Shape ------------------------------------------------------------ */

enum {
	YOLO_MAX_BOXES = 1 << 20,	/* a 1280 x 1280 input has 33,600 */
	YOLO_MAX_CLASSES = 1 << 16,
};

enum yolo_layout {
	YOLO_ANY,		/* depends on the shape */
	YOLO_CLASSES_FIRST,	/* (4 + n, boxes) */
	YOLO_BOXES_FIRST,	/* (boxes, 4 + n) */
};

struct yolo_shape {
	uint32_t boxes, classes;
	bool boxes_first;
};

/*
 * Determines the shape of *t.  names is the number of classes, 0 if it is not
 * known.  If neither layout nor names is known, the shorter axis is 4 + n if it
 * is more than 4 and less than a quarter of the other axis.  Otherwise
 * NPU_EUSAGE, with a message that names the option that decides.
 */
int yolo_shape(struct yolo_shape *s, const struct npu_tensor *t,
    enum yolo_layout layout, uint32_t names, struct npu_err *err);

/* Returns true if *t cannot give detections, with the reason in buf: its type
 * has 8 bits, and one scale for scores up to 1 and for boxes, which are in
 * pixels or in parts of the input. */
bool yolo_hopeless(const struct npu_tensor *t, bool parts, char *buf,
    size_t n);

/*
 * Returns true if there is one unnamed class more than COCO has, with the
 * reason for doubt in buf: older detectors have 5 + n numbers a box, of which
 * the fifth says whether there is an object.
 */
bool yolo_doubtful(const struct yolo_shape *s, char *buf, size_t n);

/* ---- Decoding --------------------------------------------------------- */

/* The number of best candidates that are examined, as in Ultralytics.  It
 * limits time and memory for any tensor. */
enum { YOLO_MAX_CANDIDATES = 30000 };

struct detection {
	uint32_t class;
	float confidence;
	float box[4];		/* left, top, right, bottom: pixels in the
				 * upright picture */
};

struct yolo_options {
	double conf;		/* minimum score, exclusive, 0 to 1 */
	double iou;		/* limit of IoU, 0 to 1 */
	uint32_t max;		/* detections in a picture; 0: only
				 * YOLO_MAX_CANDIDATES limits them */
	bool agnostic;		/* boxes of different classes also suppress each
				 * other */
	bool no_nms;		/* suppresses nothing */
	bool parts;		/* coordinates are parts of the input, 0 to 1 */
	const bool *classes;	/* wanted classes; NULL: all */
};

/* Counts over the boxes of one tensor. */
struct yolo_counts {
	uint64_t not_finite;	/* NaN or infinite elements */
	uint64_t candidates;	/* wanted boxes above the threshold */
	uint64_t degenerate;	/* boxes dropped because a side is negative, or,
				 * if kept, because they are less than 0.01
				 * pixels of the picture wide or high after
				 * clipping */
	uint64_t beyond;	/* candidates over YOLO_MAX_CANDIDATES */
	bool more;		/* more than max boxes were kept */
};

/* Working memory for tensors of one description. */
struct yolo;

int yolo_open(struct yolo **yolo, const struct npu_tensor *t,
    const struct yolo_shape *shape, struct npu_err *err);

/*
 * Detects objects in the t->size bytes of data: *found objects at *detections,
 * best first; equal objects in tensor order.  The decoder owns them; they are
 * valid until its next call.  *counts may be NULL.
 */
int yolo_decode(struct yolo *yolo, const void *data, const struct geometry *g,
    const struct yolo_options *options, const struct detection **detections,
    size_t *found, struct yolo_counts *counts, struct npu_err *err);

/* Checks whether the data that was just decoded, with the same options, can
 * come from a YOLOv8 detection head.  If not, fails with NPU_EFORMAT and a
 * message that says what it may be (head.h).  Before any data was decoded, pass
 * a zeroed *g; the boxes are then not checked. */
int yolo_check(struct yolo *yolo, const void *data, const struct geometry *g,
    const struct yolo_options *options, struct npu_err *err);

void yolo_close(struct yolo *yolo);	/* NULL is allowed */

#endif
