/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second pass of a resize in floats, from the sums of the first without
 * rounding them to 8 bits: closer to the definition of the filter, but not
 * Pillow's bytes.
 */
#ifndef IMAGE_KERNELS_PASS_FLOAT_H
#define IMAGE_KERNELS_PASS_FLOAT_H

#include "image/kernels/pass.h"

/* Converts n sums, less subtracted, to values from 0 to 255 and beyond; in
 * place if to is sum. */
void pass_float_read(const int32_t *sum, size_t n, int32_t less, float *to);
/* Rounds and clips n values to bytes. */
void pass_float_write(const float *v, size_t n, uint8_t *to);

/* Along a row of four floats a pixel. */
void pass_float_along(const struct windows *w, const float *row, float *out);

/* Across n rows of floats, values in each; the sums start from those at from
 * (NULL: 0). */
void pass_float_across(const uint8_t *const *row, const int32_t *k, size_t n,
    size_t values, const float *from, float *to);

#endif
