/* SPDX-License-Identifier: Apache-2.0 */
/* A picture as the bytes of a file: PNG, JPEG or PPM. */
#ifndef IMAGE_WRITE_H
#define IMAGE_WRITE_H

#include <stdbool.h>

#include "image/image.h"
#include "image/picture.h"
#include "image/sink.h"

#define WRITE_QUALITY 90	/* of a JPEG, 1 to 100, as libjpeg has it */

/*
 * JPEG: 4:4:4, because colour of half the resolution smears thin coloured lines
 * and small letters, which is what we draw.  Only JPEG uses quality.
 *
 * NPU_EUSAGE for a picture that format_holds() refuses.  After any other
 * failure the sink has received a part.
 */
int picture_write(const struct image *image, enum picture_format format,
    unsigned quality, struct sink sink, struct npu_err *err);

/* NPU_EUSAGE for a picture that the format cannot hold: a JPEG of more than
 * 65500 pixels a side, or no pixel at all. */
int format_holds(enum picture_format format, const struct image *image,
    struct npu_err *err);

/*
 * The format named by "png", "jpeg", "jpg" or "ppm"; or, with a dot in front,
 * by the end of a file's name; upper or lower case.
 */
bool format_by_name(const char *name, enum picture_format *format);
bool format_by_ending(const char *file, enum picture_format *format);
/* "png"; also the ending of our files' names, "jpg" for JPEG. */
const char *format_ending(enum picture_format format);

#endif
