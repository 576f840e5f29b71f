/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a tensor is the output of a YOLOv8 detection head, and what it may be
 * otherwise.  Ultralytics gives other heads the same form: 4 + n + 3 k numbers
 * a box for poses of k key points, 4 + n + 32 for masks, 4 + n + 1 for rotated
 * boxes (ultralytics/nn/modules/head.py: Pose, Segment, OBB); and an end-to-end
 * head has 6: corners, score, class, or with the last two exchanged.  Other
 * programs export scores before the sigmoid, or coordinates as parts of the
 * input.
 */
#ifndef VISION_HEAD_H
#define VISION_HEAD_H

#include "vision/scan.h"

/*
 * Writes what a head with so many numbers a box and classes with names may be:
 * "; a pose head (4 + 1 + 3 x 17) is not decoded here"; "" if that is not
 * known.
 */
void head_by_size(uint32_t numbers, uint32_t names, char *buf, size_t n);

/*
 * NPU_EFORMAT, and what the tensor probably is, if a score of data is further
 * than a step of the type, or 0.01, from 0 to 1, or if the numbers are the rows
 * of an end-to-end head.  g->in_width 0: the input's size is not known.
 */
int head_check(const struct scan *s, const void *data, const struct geometry *g,
    struct npu_err *err);

/*
 * NPU_EFORMAT if the scores are probably the key points of a pose head in parts
 * of the input: such a box has many above 0.05, but the box of a detector few.
 */
int head_check_points(const struct scan *s, const void *data,
    struct npu_err *err);

/*
 * NPU_EFORMAT if the n boxes of x (scan_numbers()) are parts of the input: none
 * is larger than 2 pixels, or more than 2 pixels from the corner.  Inputs that
 * are smaller than a cell of YOLOv8's coarsest grid can have such boxes.
 */
int head_check_pixels(const float *x, size_t n, const struct geometry *g,
    struct npu_err *err);

/*
 * NPU_EFORMAT if x, parts of the input that became pixels, cannot be such
 * parts: one is more than 2 inputs large or away from the corner.
 */
int head_check_parts(const float *x, size_t n, const struct geometry *g,
    struct npu_err *err);

#endif
