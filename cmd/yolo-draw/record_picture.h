/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures that records are drawn on: files, or one after the other of a
 * stream. */
#ifndef RECORD_PICTURE_H
#define RECORD_PICTURE_H

#include "pictures/pictures.h"
#include "vision/record.h"

struct record_pictures {
	/* Set by the caller. */
	struct pictures stream;		/* --stream */
	uint64_t max_pixels;
	bool operands;			/* they are named by operands */

	char *path[2];			/* of the stream; owned; NULL: not open
					   yet */
	uint64_t frame;			/* the last one read from it */
};

/* Reads the picture that record r is drawn on, at path.  The image is the
 * caller's.  1: as picture_read(). */
int record_picture_read(struct record_pictures *p, const char *path,
    const struct detection_record *r, struct image *image,
    struct npu_err *err);
void record_pictures_close(struct record_pictures *p);

#endif
