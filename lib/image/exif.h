/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IMAGE_EXIF_H
#define IMAGE_EXIF_H

#include "base/bytes.h"

/*
 * The orientation, 1 to 8, that the EXIF data tiff (a TIFF header, then
 * directories) gives; 0 where it gives none, 1 where it is no EXIF or the value
 * is invalid.
 */
uint8_t exif_orientation(struct bytes tiff);

#endif
