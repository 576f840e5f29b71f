/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IMAGE_CROP_H
#define IMAGE_CROP_H

#include "image/draw.h"
#include "npu.h"

/* Copies the part of r that lies within the picture; free(part->rgb).
 * NPU_EUSAGE if r lies outside the picture. */
int image_crop(const struct image *image, struct rect r, struct image *part,
    struct npu_err *err);

#endif
