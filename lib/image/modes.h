/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pillow 9.4's conversions before and after it resizes a picture in the
 * picture's own mode (src/libImaging/Convert.c).  Pixels have 4 bytes.
 */
#ifndef IMAGE_MODES_H
#define IMAGE_MODES_H

#include <stddef.h>
#include <stdint.h>

/* Multiply the first three bytes by the fourth, alpha, and divide again. */
void modes_multiply(uint8_t *p, size_t pixels);
void modes_divide(uint8_t *p, size_t pixels);

/* Replaces each byte b by 255 - b. */
void modes_invert(uint8_t *p, size_t pixels);

/* Converts pixels whose bytes give the light that cyan, magenta, yellow and
 * black leave. */
void modes_cmyk_to_rgb(uint8_t *p, size_t pixels);

#endif
