/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What picture_write() chooses from.  The picture has at least one pixel.
 */
#ifndef IMAGE_WRITERS_H
#define IMAGE_WRITERS_H

#include "image/write.h"

int png_write(const struct image *image, struct sink sink,
    struct npu_err *err);
int jpeg_write(const struct image *image, unsigned quality, struct sink sink,
    struct npu_err *err);

#endif
