/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second pass of a resize in floats.  It starts from the sums of the first
 * pass without rounding them to 8 bits.  The result is closer to the definition
 * of the filter, but does not have Pillow's bytes.
 */
#ifndef IMAGE_KERNELS_PASS_FLOAT_H
#define IMAGE_KERNELS_PASS_FLOAT_H

#include "image/kernels/pass.h"

/* Subtracts less from each of n sums and converts them to floats, nominally
 * from 0 to 255.  to may be sum. */
void pass_float_read(const int32_t *sum, size_t n, int32_t less, float *to);
/* Rounds and clips n values to bytes. */
void pass_float_write(const float *v, size_t n, uint8_t *to);

/* Passes along a row with four floats a pixel. */
void pass_float_along(const struct windows *w, const float *row, float *out);

/* Passes across n rows of floats, with values floats in each.  The sums start
 * from the sums at from (NULL: 0). */
void pass_float_across(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t values, const float *from, float *to);

#endif
