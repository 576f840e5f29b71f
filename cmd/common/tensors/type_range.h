/* SPDX-License-Identifier: Apache-2.0 */
/* The least and the largest value of an integer type of tensors' elements. */
#ifndef CMD_TENSORS_TYPE_RANGE_H
#define CMD_TENSORS_TYPE_RANGE_H

#include <stdbool.h>

#include "npu.h"

/* Both as stored, side by side in q; false for floating point. */
bool type_range_stored(const struct npu_tensor *t, uint8_t q[16]);

/* The real numbers that they stand for, by the scale and zero point of *t. */
bool type_range_reals(const struct npu_tensor *t, float x[2]);

#endif
