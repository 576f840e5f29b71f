/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes a picture as the bytes of a file: PNG, JPEG or PPM. */
#ifndef IMAGE_WRITE_H
#define IMAGE_WRITE_H

#include <stdbool.h>

#include "image/image.h"
#include "image/picture.h"
#include "image/sink.h"

#define WRITE_QUALITY 90	/* JPEG only: 1 to 100, as in libjpeg */

/*
 * Writes a picture.  JPEG is written as 4:4:4, because colour at half the
 * resolution smears the thin coloured lines and small letters that we draw.
 * Only JPEG uses quality.
 *
 * NPU_EUSAGE for a picture that format_holds() refuses.  After any other
 * failure the sink has received a part.
 */
int picture_write(const struct image *image, enum picture_format format,
    unsigned quality, struct sink sink, struct npu_err *err);

/* Returns NPU_EUSAGE if the format cannot hold the picture: a JPEG of more than
 * 65500 pixels a side, or a picture without pixels. */
int format_holds(enum picture_format format, const struct image *image,
    struct npu_err *err);

/*
 * Find the format: by the name "png", "jpeg", "jpg" or "ppm", or by a file
 * name's ending, which is one of these names after a dot.  Case does not
 * matter.
 */
bool format_by_name(const char *name, enum picture_format *format);
bool format_by_ending(const char *file, enum picture_format *format);
/* Returns "png", "ppm", or "jpg" for JPEG; also the ending of files that we
 * write. */
const char *format_ending(enum picture_format format);

#endif
