/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Pillow 9.4 does with pixels before and after it resizes a picture in its
 * own mode (src/libImaging/Convert.c); 4 bytes a pixel.
 */
#ifndef IMAGE_MODES_H
#define IMAGE_MODES_H

#include <stddef.h>
#include <stdint.h>

/* The first three bytes times the fourth, alpha, and back. */
void modes_multiply(uint8_t *p, size_t pixels);
void modes_divide(uint8_t *p, size_t pixels);

/* Each byte becomes 255 less it. */
void modes_invert(uint8_t *p, size_t pixels);

/* Of what is left of the light by cyan, magenta, yellow and black. */
void modes_cmyk_to_rgb(uint8_t *p, size_t pixels);

#endif
