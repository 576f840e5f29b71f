/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The orientation of a PNG, as given before its pixels: in eXIf, in EXIF as
 * hexadecimal text (ImageMagick's "Raw profile type exif"), or in XMP; in this
 * order, as Pillow reads it.
 */
#ifndef IMAGE_PNGORIENT_H
#define IMAGE_PNGORIENT_H

#include <stdint.h>

#include "base/bytes.h"

struct png_orient {
	uint8_t head[8];	/* of a chunk: length and type */
	unsigned n_head;	/* bytes of it that were seen */
	uint32_t left;		/* left of the chunk after them, with the
				   CRC */
	uint8_t *data;		/* owned: the chunk, if it may be relevant */
	size_t n;
	unsigned inflated;	/* texts inflated so far */
	bool has_exif;
	uint8_t exif, raw, xmp;	/* found in each of the three; 0: none */
	bool failed;		/* no memory */
};

/* The next bytes of the file, from after its signature on. */
void png_orient_feed(struct png_orient *o, struct bytes b);
/* 1 to 8. */
uint8_t png_orient_get(const struct png_orient *o);
void png_orient_free(struct png_orient *o);

#endif
