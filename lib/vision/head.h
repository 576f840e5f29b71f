/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides whether a tensor is the output of a YOLOv8 detection head, and what
 * it may be otherwise.  Ultralytics gives other heads the same form: 4 + n + 3
 * k numbers a box for poses with k key points, 4 + n + 32 for masks, 4 + n + 1
 * for rotated boxes (ultralytics/nn/modules/head.py: Pose, Segment, OBB).  An
 * end-to-end head has 6 numbers: corners, score, class, or corners, class,
 * score.  Other programs export scores before the sigmoid, or coordinates as
 * parts of the input.
 */
#ifndef VISION_HEAD_H
#define VISION_HEAD_H

#include "vision/scan.h"

/*
 * Writes what a head with this number of numbers a box and this number of names
 * may be: "; a pose head (4 + 1 + 3 x 17) is not decoded here", or "" if that
 * is not known.
 */
void head_by_size(uint32_t numbers, uint32_t names, char *buf, size_t n);

/*
 * Fails with NPU_EFORMAT, and a message that says what the tensor probably is,
 * if a score of data is outside 0 to 1 by more than a step of the type or 0.01,
 * or if the numbers are the rows of an end-to-end head.  If g->in_width is 0,
 * the input's size is not known.
 */
int head_check(const struct scan *s, const void *data, const struct geometry *g,
    struct npu_err *err);

/*
 * Fails with NPU_EFORMAT if the scores are probably the key points of a pose
 * head as parts of the input: such a box has many numbers above 0.05, a
 * detector's box only few.
 */
int head_check_points(const struct scan *s, const void *data,
    struct npu_err *err);

/*
 * Fails with NPU_EFORMAT if the n boxes of x (scan_numbers()) are probably
 * parts of the input: every box is at most 2 pixels large and at most 2 pixels
 * from the corner.  Inputs smaller than a cell of YOLOv8's coarsest grid are
 * not checked, as they can have such boxes.
 */
int head_check_pixels(const float *x, size_t n, const struct geometry *g,
    struct npu_err *err);

/*
 * Fails with NPU_EFORMAT if x, parts of the input converted to pixels, cannot
 * be parts: a box is larger than 2 inputs or more than 2 inputs from the
 * corner.
 */
int head_check_parts(const float *x, size_t n, const struct geometry *g,
    struct npu_err *err);

#endif
