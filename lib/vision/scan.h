/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The boxes of a tensor whose best score is above a threshold, found without
 * converting the rest: stored integers order as the numbers that they stand
 * for, and so do the bits of floats that are not negative.
 */
#ifndef VISION_SCAN_H
#define VISION_SCAN_H

#include "vision/yolo.h"

struct scan {
	struct npu_tensor t;
	struct yolo_shape shape;
	const struct scan_type *type;
	void *best;		/* owned: boxes elements */
	uint32_t any;		/* the bits of all scores of the last data */
};

/* Fails with NPU_EUSAGE for types that cannot be compared so. */
int scan_open(struct scan *s, const struct npu_tensor *t,
    const struct yolo_shape *shape, struct npu_err *err);
void scan_close(struct scan *s);

/*
 * Boxes with a score above conf >= 0: their number; where they are, rising, and
 * their classes.  Both have room for all boxes.  data is aligned as its type.
 */
size_t scan_boxes(struct scan *s, const void *data, double conf,
    uint32_t *where, uint32_t *class);

/* Elements of data that are NaN or infinite, exactly; quick when the scan just
 * made of it met none that could be. */
uint64_t scan_not_finite(const struct scan *s, const void *data);

/*
 * Centre x, centre y, width, height and score of n boxes, as numbers: x[0..n),
 * x[n..2n) and so on.  q has room for 5 n elements.
 */
int scan_numbers(const struct scan *s, const void *data, const uint32_t *where,
    const uint32_t *class, size_t n, void *q, float *x, struct npu_err *err);

#endif
