/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the shapes of two tensors, and gives advice if they differ. */
#ifndef CMD_TENSORS_SHAPE_H
#define CMD_TENSORS_SHAPE_H

#include <stdbool.h>

#include "npu.h"

/* True if the shapes are equal apart from dimensions of 1; an unknown shape
 * equals any. */
bool shape_same(const struct npu_tensor *a, const struct npu_tensor *b);

/* Returns the end of a message about *t, whose shape differs from the shape of
 * *want. */
const char *shape_advice(const struct npu_tensor *t,
    const struct npu_tensor *want);

#endif
