/* SPDX-License-Identifier: Apache-2.0 */
/* Non-maximum suppression. */
#ifndef VISION_NMS_H
#define VISION_NMS_H

#include <stddef.h>
#include <stdint.h>

struct nms_box {
	float x1, y1, x2, y2;	/* finite, x1 <= x2, y1 <= y2 */
};

/* Boxes side by side, for comparing one box with eight at a time. */
enum { NMS_LANES = 8 };
struct nms_eight {
	float x1[NMS_LANES], y1[NMS_LANES], x2[NMS_LANES], y2[NMS_LANES];
	float area[NMS_LANES];
};

/* The caller's memory, for n boxes in up to n groups. */
struct nms {
	uint32_t *start;	/* groups + 1 */
	uint32_t *member;	/* n: boxes by group, best first */
	uint8_t *kept;		/* n */
	struct nms_eight *eights;	/* n / NMS_LANES + 1 */
};

/*
 * Finds, among n boxes, best first, the boxes that are not suppressed by a
 * better box of the same group.  A box is suppressed if the area of the
 * intersection is more than iou of the area of the union.  Writes the indices
 * of at most most boxes, in ascending order, to place, and returns their
 * number.  The worst case takes n * most steps.
 */
size_t nms(struct nms *m, const struct nms_box *boxes, const uint32_t *group,
    uint32_t groups, size_t n, float iou, size_t most, uint32_t *place);

#endif
