/* SPDX-License-Identifier: Apache-2.0 */
/* What libjpeg's errors and warnings are called. */
#ifndef IMAGE_JPEG_TEXT_H
#define IMAGE_JPEG_TEXT_H

#include <stddef.h>

struct jpeg_decompress_struct;	/* libjpeg's */

/* The last one of z, to n bytes at s: lower case, without the place. */
void jpeg_text(struct jpeg_decompress_struct *z, char *s, size_t n);

#endif
