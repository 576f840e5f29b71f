/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The orientation of a PNG, if it comes before the pixels: in eXIf, in EXIF as
 * hexadecimal text (ImageMagick's "Raw profile type exif"), or in XMP.  The
 * first of these wins, as in Pillow.
 */
#ifndef IMAGE_PNGORIENT_H
#define IMAGE_PNGORIENT_H

#include <stdint.h>

#include "base/bytes.h"

struct png_orient {
	uint8_t head[8];	/* of a chunk: length and type */
	unsigned n_head;	/* bytes read of head */
	uint32_t left;		/* bytes left in the chunk after head, with the
				 * CRC */
	uint8_t *data;		/* owned: a chunk that may be relevant */
	size_t n;
	unsigned inflated;	/* number of inflated texts */
	bool has_exif;
	uint8_t exif, raw, xmp;	/* found in each source; 0: not found */
	bool failed;		/* out of memory */
};

/* Adds the next bytes of the file.  The first call gets the bytes after the
 * signature. */
void png_orient_feed(struct png_orient *o, struct bytes b);
/* Returns the orientation, 1 to 8. */
uint8_t png_orient_get(const struct png_orient *o);
void png_orient_free(struct png_orient *o);

#endif
