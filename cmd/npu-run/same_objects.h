/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two outputs of a detector show the same objects. */
#ifndef NPU_RUN_SAME_OBJECTS_H
#define NPU_RUN_SAME_OBJECTS_H

#include <stdbool.h>

#include "npu.h"

struct same_objects;

/* Returns NULL unless the model's input is one picture and t, of the same shape
 * as its output, has the form of a YOLOv8 detection head (vision/yolo.h). */
struct same_objects *same_objects_open(const struct npu *npu,
    const struct npu_tensor *t);
void same_objects_close(struct same_objects *s);

/* True if both tensors, as floats, have as many objects above 0.25, and each
 * object has one of the same class in the other whose box has an IoU of at
 * least 0.5.  Suppression is as in yolo-detect. */
bool same_objects(struct same_objects *s, const float *a, const float *b);

#endif
