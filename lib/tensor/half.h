/* SPDX-License-Identifier: Apache-2.0 */
/*
 * IEEE 754 binary16 and bfloat16.  Conversion to float is exact, and a
 * signalling NaN becomes quiet; conversion from float rounds to nearest, half
 * to even, as the CPU's own instructions do.  Buffers need no alignment.
 */
#ifndef TENSOR_HALF_H
#define TENSOR_HALF_H

#include <stddef.h>
#include <stdint.h>

float half_to_float(uint16_t h);
uint16_t half_from_float(float x);
float bf16_to_float(uint16_t b);
uint16_t bf16_from_float(float x);

/* Convert n numbers, with the CPU's instructions if it has them. */
void half_to_floats(const void *h, size_t n, float *x);
void half_from_floats(const float *x, size_t n, void *h);

#endif
