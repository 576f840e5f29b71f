/* SPDX-License-Identifier: Apache-2.0 */
/* The eight orientations of EXIF (Exif 2.32, 4.6.4, tag 274). */
#ifndef IMAGE_ORIENT_H
#define IMAGE_ORIENT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * To make a stored picture upright, mirror its columns (flip_x) and its rows
 * (flip_y), then turn its rows into columns (swap).
 */
struct orient {
	bool swap, flip_x, flip_y;
};

static inline struct orient
orient(uint8_t orientation)
{
	static const struct orient table[] = {
		[2] = { .flip_x = true },
		[3] = { .flip_x = true, .flip_y = true },
		[4] = { .flip_y = true },
		[5] = { .swap = true },
		[6] = { .swap = true, .flip_y = true },
		[7] = { .swap = true, .flip_x = true, .flip_y = true },
		[8] = { .swap = true, .flip_x = true },
	};

	return table[orientation <= 8 ? orientation : 1];
}

#endif
