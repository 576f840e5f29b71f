/* SPDX-License-Identifier: Apache-2.0 */
/* The numeric ids of pictures in COCO results. */
#ifndef CMD_DETECTIONS_COCO_IDS_H
#define CMD_DETECTIONS_COCO_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "vision/imageids.h"

struct coco_ids {
	const char *file;	/* --image-ids; NULL: not given */
	struct imageids ids;	/* read from file */
	void *used;		/* owned: a tsearch(3) tree of uint64_t */
};

/* Opens the file of ids; file may be NULL.  Dies if the file is damaged. */
void coco_ids_open(struct coco_ids *m, const char *file);
/*
 * Finds the id of a picture: the frame if it is not 0, else the id in the file
 * of ids or the number in the name.  Returns false, with a warning, if the
 * picture does not have an id or another picture has the same.
 */
bool coco_ids_find(struct coco_ids *m, const char *name, uint64_t frame,
    uint64_t *id);
void coco_ids_close(struct coco_ids *m);

#endif
