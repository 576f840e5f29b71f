/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the ids of pictures in COCO's annotations. */
#ifndef VISION_IMAGEIDS_H
#define VISION_IMAGEIDS_H

#include "base/bytes.h"
#include "npu.h"

enum { IMAGEIDS_MAX_FILE = 1 << 28 };

struct imageid {
	const char *name;
	uint64_t id;		/* at most INT64_MAX */
};

/* Each name occurs once. */
struct imageids {
	size_t n;
	struct imageid *entry;	/* owned, sorted by name; imageids_free() */
	char *text;		/* owned: names point into it */
};

/* Reads the text of a file: in each line an id, blanks and a file name. */
int imageids_read(struct imageids *ids, struct bytes text,
    struct npu_err *err);

/* Finds the id of a picture by its full name, otherwise by the name without
 * folders. */
bool imageids_find(const struct imageids *ids, const char *file,
    uint64_t *id);

void imageids_free(struct imageids *ids);

/* Finds the last number in a name: 391895 in COCO_val2014_000000391895.jpg. */
bool imageids_in_name(const char *file, uint64_t *id);

#endif
