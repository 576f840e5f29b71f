/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two tensors have one shape, and what to do where they have not. */
#ifndef CMD_TENSORS_SHAPE_H
#define CMD_TENSORS_SHAPE_H

#include <stdbool.h>

#include "npu.h"

/* Equal except for dimensions of 1; an unknown shape fits any. */
bool shape_same(const struct npu_tensor *a, const struct npu_tensor *b);

/* The end of a message about *t, whose shape is not the one of *want. */
const char *shape_advice(const struct npu_tensor *t,
    const struct npu_tensor *want);

#endif
