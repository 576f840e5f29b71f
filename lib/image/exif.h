/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IMAGE_EXIF_H
#define IMAGE_EXIF_H

#include "base/bytes.h"

/*
 * Returns the orientation, 1 to 8, in the EXIF data tiff (a TIFF header, then
 * directories).  Returns 0 if the data has no orientation, and 1 if it is not
 * EXIF or the value is invalid.
 */
uint8_t exif_orientation(struct bytes tiff);

#endif
