/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the boxes of a tensor whose best score is above a threshold without
 * converting the others: stored integers are in the order of their real
 * numbers, and so are the bits of floats that are not negative.
 */
#ifndef VISION_SCAN_H
#define VISION_SCAN_H

#include "vision/yolo.h"

struct scan {
	struct npu_tensor t;
	struct yolo_shape shape;
	const struct scan_type *type;
	void *best;		/* owned: boxes elements */
	uint32_t any;		/* all bits that the scores of the last data
				   have */
};

/* NPU_EUSAGE for types that cannot be compared so. */
int scan_open(struct scan *s, const struct npu_tensor *t,
    const struct yolo_shape *shape, struct npu_err *err);
void scan_close(struct scan *s);

/*
 * Finds boxes with a score above conf >= 0; returns their number.  where: their
 * indices, ascending; class: their classes.  Both have room for all boxes.
 * data is aligned for its type.
 */
size_t scan_boxes(struct scan *s, const void *data, double conf,
    uint32_t *where, uint32_t *class);

/* The exact number of elements of data that are NaN or infinite; quick when the
 * scan just made met none that could be. */
uint64_t scan_not_finite(const struct scan *s, const void *data);

/*
 * The least and the greatest of n scores, from number from on, of all boxes; of
 * floats those that are finite, and 0.
 */
void scan_extremes(const struct scan *s, const void *data, uint32_t from,
    uint32_t n, double *least, double *most);

/*
 * Writes centre x, centre y, width, height and score of n boxes as numbers:
 * x[0..n), x[n..2n) and so on.  q has room for 5 n elements.
 */
int scan_numbers(const struct scan *s, const void *data, const uint32_t *where,
    const uint32_t *class, size_t n, void *q, float *x, struct npu_err *err);

#endif
