/* SPDX-License-Identifier: Apache-2.0 */
/* Writes PNG files without a library: each part can then be wrong. */
#ifndef TESTS_TOOLS_PICGEN_PNG_H
#define TESTS_TOOLS_PICGEN_PNG_H

#include "pic.h"

enum png_colour { GRAY = 0, RGB = 2, PALETTE = 3, GRAY_ALPHA = 4, RGBA = 6 };

/* Chunks with metadata before the pixels. */
enum png_extra {
	TRNS = 1, EXIF_6 = 2, RAW_EXIF_6 = 4, XMP_6 = 8, EXIF_NONE = 16,
	TEXTS = 32, BIG_UNKNOWN = 64, SPLIT = 128, PALETTE_TOO = 256,
	DEFLATED_XMP_6 = 512, SHORT_PALETTE = 1024,
};

struct png_how {
	unsigned width, height, depth;
	enum png_colour colour;
	unsigned interlace;
	unsigned extra;
};

void png_make(struct buf *out, const struct pic *p);
void png_chunk(struct buf *out, const char *type, const void *p, size_t n);

#define PNG(...) png_make, &(const struct png_how){ .width = __VA_ARGS__ }

#endif
