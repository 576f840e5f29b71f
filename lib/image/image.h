/* SPDX-License-Identifier: Apache-2.0 */
/* A whole picture in memory: red, green, blue, 8 bits each. */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

struct image {
	uint32_t width, height;	/* pixels */
	uint8_t *rgb;		/* owned; height rows of width * 3 bytes from
				 * the top, without gaps */
};

#endif
