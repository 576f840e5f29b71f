/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the boxes of a tensor whose best score is above a threshold, without
 * converting the other boxes: stored integers have the same order as their real
 * numbers, and so have the bits of floats that are not negative.
 */
#ifndef VISION_SCAN_H
#define VISION_SCAN_H

#include "vision/yolo.h"

struct scan {
	struct npu_tensor t;
	struct yolo_shape shape;
	const struct scan_type *type;
	void *best;		/* owned: an element for each box */
	uint32_t any;		/* bits set in any score of the last data */
};

/* Fails with NPU_EUSAGE for types that cannot be compared in this way. */
int scan_open(struct scan *s, const struct npu_tensor *t,
    const struct yolo_shape *shape, struct npu_err *err);
void scan_close(struct scan *s);

/*
 * Finds boxes with a score above conf >= 0 and returns their number.  where:
 * their indices, ascending; class: their classes.  Both must have room for all
 * boxes.  data must be aligned for its type.
 */
size_t scan_boxes(struct scan *s, const void *data, double conf,
    uint32_t *where, uint32_t *class);

/* Returns the exact number of elements of data that are NaN or infinite.  Fast
 * if the previous scan_boxes() found no candidate for such an element. */
uint64_t scan_not_finite(const struct scan *s, const void *data);

/*
 * Finds the lowest and the highest of n scores, starting with score from, over
 * all boxes.  For floats, only finite scores and 0 are considered.
 */
void scan_extremes(const struct scan *s, const void *data, uint32_t from,
    uint32_t n, double *least, double *most);

/*
 * Writes centre x, centre y, width, height and score of n boxes as numbers:
 * x[0..n), x[n..2n) and so on.  q must have room for 5 n elements.
 */
int scan_numbers(const struct scan *s, const void *data, const uint32_t *where,
    const uint32_t *class, size_t n, void *q, float *x, struct npu_err *err);

#endif
