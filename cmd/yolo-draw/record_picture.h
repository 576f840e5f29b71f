/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the pictures that records are drawn on, from files or from a stream of
 * pictures. */
#ifndef RECORD_PICTURE_H
#define RECORD_PICTURE_H

#include "pictures/pictures.h"
#include "vision/record.h"

struct record_pictures {
	/* Set by the caller. */
	struct pictures stream;		/* --stream */
	uint64_t max_pixels;
	bool operands;			/* pictures are operands */

	char *path[2];			/* the stream's path; owned; NULL: not
					   open yet */
	uint64_t frame;			/* number of the last picture read */
};

/* Reads the picture at path, on which record r is drawn.  The caller owns the
 * image.  Returns 1 where picture_read() does. */
int record_picture_read(struct record_pictures *p, const char *path,
    const struct detection_record *r, struct image *image,
    struct npu_err *err);
void record_pictures_close(struct record_pictures *p);

#endif
