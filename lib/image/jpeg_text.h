/* SPDX-License-Identifier: Apache-2.0 */
/* Messages for libjpeg's errors and warnings. */
#ifndef IMAGE_JPEG_TEXT_H
#define IMAGE_JPEG_TEXT_H

#include <stddef.h>

struct jpeg_decompress_struct;	/* libjpeg's */

/* Writes z's last message to s, which has n bytes: in lower case, without the
 * position. */
void jpeg_text(struct jpeg_decompress_struct *z, char *s, size_t n);

#endif
