/* SPDX-License-Identifier: Apache-2.0 */
/* A colour for every class, the same in every program. */
#ifndef IMAGE_PALETTE_H
#define IMAGE_PALETTE_H

#include "image/draw.h"

/*
 * 80 colours, repeated from class 80 on.  They are taken from a grid of 9
 * levels a channel without the pale, dark and gray ones (CIELAB: lightness 35
 * to 92, chroma 40 and more), each as far as possible from all chosen before
 * it, and ordered so that neighbouring numbers are far apart.  As CIELAB
 * measures (CIE 1976), two classes side by side differ by 50 and more, two less
 * than 9 apart by 30, any two by 17.
 */
struct rgb palette_colour(uint32_t class);

/* Black or white, whichever is easier to read on a background of colour c. */
struct rgb palette_ink(struct rgb c);

#endif
