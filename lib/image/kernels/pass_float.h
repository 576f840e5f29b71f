/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second pass of a resize in floats, from the sums of the first without
 * rounding them to 8 bits: nearer to what the filter means, but not Pillow's
 * bytes.
 */
#ifndef IMAGE_KERNELS_PASS_FLOAT_H
#define IMAGE_KERNELS_PASS_FLOAT_H

#include "image/kernels/pass.h"

/* n sums, less less, as values from 0 to 255 and beyond; they may be in the
 * same place. */
void pass_float_read(const int32_t *sum, size_t n, int32_t less, float *to);
/* Clipped. */
void pass_float_write(const float *v, size_t n, uint8_t *to);

/* Within a row: four floats a pixel. */
void pass_float_along(const struct windows *w, const float *row, float *out);

/* Across n rows of so many values, floats all of them; the sums begin with
 * those at from, or with none if that is NULL. */
void pass_float_across(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t values, const float *from, float *to);

#endif
