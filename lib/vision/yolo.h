/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes the output of a detector of YOLOv8's kind to objects on the picture.
 *
 * The tensor has 4 + n numbers for each of its boxes: centre x, centre y, width
 * and height in pixels of the model's input, then a score from 0 to 1 for each
 * of n classes; (4 + n, boxes) as Ultralytics exports it, or its transpose.
 *
 * A box is a candidate when the best of its scores is above the threshold; of
 * equal scores the lowest class is the box's.  Numbers that are not finite are
 * not scores and make no boxes.  Of candidates of one class, in the order of
 * their scores, one is suppressed when its IoU with a better one that was kept
 * is above the threshold, as in torchvision; exactly at the threshold both
 * stay.  Of those that stay, what is not in the picture is dropped.
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
	YOLO_ANY,		/* derived from the shape */
	YOLO_CLASSES_FIRST,	/* (4 + n, boxes) */
	YOLO_BOXES_FIRST,	/* (boxes, 4 + n) */
};

struct yolo_shape {
	uint32_t boxes, classes;
	bool boxes_first;
};

/*
 * Finds the shape of *t; names is the number of classes, 0 if that is not
 * known.  Without either, the shorter axis is 4 + n if it is less than a
 * quarter of the other and more than 4.  NPU_EUSAGE: the message names the
 * option that decides.
 */
int yolo_shape(struct yolo_shape *s, const struct npu_tensor *t,
    enum yolo_layout layout, uint32_t names, struct npu_err *err);

/* True if no detection can come of *t, with the reason in buf: its type has 8
 * bits, and one scale for scores up to 1 and for boxes, which are in pixels or
 * in parts of the input. */
bool yolo_hopeless(const struct npu_tensor *t, bool parts, char *buf,
    size_t n);

/*
 * True if classes without names are one more than COCO's, with the reason to
 * doubt them in buf: older detectors have 5 + n numbers a box, the fifth for
 * whether anything is there.
 */
bool yolo_doubtful(const struct yolo_shape *s, char *buf, size_t n);

/* ---- Decoding --------------------------------------------------------- */

/* The number of best candidates that are examined, as in Ultralytics; bounds
 * time and memory for any tensor. */
enum { YOLO_MAX_CANDIDATES = 30000 };

struct detection {
	uint32_t class;
	float confidence;
	float box[4];		/* left, top, right, bottom: pixels of the
				   upright picture, within it */
};

struct yolo_options {
	double conf;		/* scores above it, 0 to 1 */
	double iou;		/* suppressed above it, 0 to 1 */
	uint32_t max;		/* detections of a picture, 0: no limit except
				   YOLO_MAX_CANDIDATES */
	bool agnostic;		/* boxes of different classes suppress each
				   other */
	bool no_nms;		/* nothing is suppressed */
	bool parts;		/* coordinates are parts of the input, 0 to 1 */
	const bool *classes;	/* wanted ones; NULL: all are */
};

/* Counts over the boxes of one tensor. */
struct yolo_counts {
	uint64_t not_finite;	/* elements that are NaN or infinite */
	uint64_t candidates;	/* boxes above the threshold that are wanted */
	uint64_t degenerate;	/* dropped ones: with a negative side or, of
				   those that stayed, less than 0.01 pixels of
				   the picture wide or high, after clipping */
	uint64_t beyond;	/* candidates beyond YOLO_MAX_CANDIDATES */
	bool more;		/* more than max boxes stayed */
};

/* Working memory for tensors of one description. */
struct yolo;

int yolo_open(struct yolo **yolo, const struct npu_tensor *t,
    const struct yolo_shape *shape, struct npu_err *err);

/*
 * Detects objects in the t->size bytes of data: *found of them at *detections,
 * best first, of equal ones the one that comes first in the tensor.  They are
 * the decoder's and valid until its next call.  *counts may be NULL.
 */
int yolo_decode(struct yolo *yolo, const void *data, const struct geometry *g,
    const struct yolo_options *options, const struct detection **detections,
    size_t *found, struct yolo_counts *counts, struct npu_err *err);

/* Whether the data just decoded, by the same options, can come from a YOLOv8
 * detection head; NPU_EFORMAT: it cannot, and what it may be (head.h).  With a
 * *g of zeros, before any was decoded, the boxes are not looked at. */
int yolo_check(struct yolo *yolo, const void *data, const struct geometry *g,
    const struct yolo_options *options, struct npu_err *err);

void yolo_close(struct yolo *yolo);	/* NULL is allowed */

#endif
