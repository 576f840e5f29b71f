/* SPDX-License-Identifier: Apache-2.0 */
/* The colour of each class, the same in every program. */
#ifndef IMAGE_PALETTE_H
#define IMAGE_PALETTE_H

#include "image/draw.h"

/*
 * Returns one of 80 colours; they repeat from class 80 on.  They were selected
 * from a grid with 9 levels a channel, without pale, dark and gray colours
 * (CIELAB: lightness 35 to 92, chroma 40 and more).  Each colour is as far as
 * possible from all colours chosen before it, and the order puts distant
 * colours next to each other.  Measured in CIELAB (CIE 1976), neighbouring
 * classes differ by at least 50, classes less than 9 apart by 30, and any two
 * by 17.
 */
struct rgb palette_colour(uint32_t class);

/* Returns black or white, the colour that is easier to read on background c. */
struct rgb palette_ink(struct rgb c);

#endif
