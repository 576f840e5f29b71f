/* SPDX-License-Identifier: Apache-2.0 */
/* A colour for every class, the same in every program. */
#ifndef IMAGE_PALETTE_H
#define IMAGE_PALETTE_H

#include "image/draw.h"

/*
 * 80 colours, and from class 80 on again.  They are those of a grid of 9 levels
 * a channel, neither pale, dark nor gray (CIELAB: lightness 35 to 92, chroma
 * 40 and more), of which each is as far as can be from all that were taken
 * before it; put in an order in which near numbers are far apart.  So, as
 * CIELAB measures (CIE 1976), those of two classes side by side differ by 50
 * and more, of two less than 9 apart by 30, any two by 17.
 */
struct rgb palette_colour(uint32_t class);

/* Black or white: what is easier to read on a ground of colour c. */
struct rgb palette_ink(struct rgb c);

#endif
