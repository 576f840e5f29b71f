/* SPDX-License-Identifier: Apache-2.0 */
/* The ids that COCO's results call pictures by. */
#ifndef CMD_DETECTIONS_COCO_IDS_H
#define CMD_DETECTIONS_COCO_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "vision/imageids.h"

struct coco_ids {
	const char *file;	/* --image-ids; NULL: none */
	struct imageids ids;	/* of the file */
	void *used;		/* owned: a tsearch(3) tree of uint64_t */
};

/* file may be NULL.  Dies of a damaged file. */
void coco_ids_open(struct coco_ids *m, const char *file);
/*
 * The id of a picture: the frame, unless it is 0, else from the file of ids or
 * the number in the name.  False, with a warning, if there is none or another
 * picture has it.
 */
bool coco_ids_find(struct coco_ids *m, const char *name, uint64_t frame,
    uint64_t *id);
void coco_ids_close(struct coco_ids *m);

#endif
