/* SPDX-License-Identifier: Apache-2.0 */
/* The writers behind picture_write(), for pictures that format_holds()
 * accepts. */
#ifndef IMAGE_WRITERS_H
#define IMAGE_WRITERS_H

#include "image/write.h"

enum { JPEG_MAX_SIDE = 65500 };	/* jmorecfg.h: JPEG_MAX_DIMENSION */

int png_write(const struct image *image, struct sink sink,
    struct npu_err *err);
int jpeg_write(const struct image *image, unsigned quality, struct sink sink,
    struct npu_err *err);

#endif
