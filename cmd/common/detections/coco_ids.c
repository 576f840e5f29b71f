// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>

#include "cmd.h"
#include "coco_ids.h"

void
coco_ids_open(struct coco_ids *m, const char *file)
{
	struct npu_err err;
	struct bytes text;
	size_t n;
	int rc;

	*m = (struct coco_ids){ .file = file };
	if (file == NULL)
		return;
	text.p = cmd_read_file(file, IMAGEIDS_MAX_FILE, &n);
	text.n = n;
	rc = imageids_read(&m->ids, text, &err);
	free((void *)(uintptr_t)text.p);
	if (rc < 0)
		cmd_die_err(cmd_input_name(file), &err);
}

/* Finds the id from the frame, the file of ids or the name. */
static bool
find(const struct coco_ids *m, const char *name, uint64_t frame, uint64_t *id)
{
	if (frame != 0) {
		*id = frame;
		return true;
	}
	if (name == NULL) {
		cmd_warn("a picture without a name has no id for coco");
		return false;
	}
	if (m->file != NULL) {
		if (imageids_find(&m->ids, name, id))
			return true;
		cmd_warn("%s: is not in the file of --image-ids", name);
		return false;
	}
	if (imageids_in_name(name, id))
		return true;
	cmd_warn("%s: has no number in its name to be its id for coco; say it "
	    "with --image-ids", name);
	return false;
}

static int
compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

bool
coco_ids_find(struct coco_ids *m, const char *name, uint64_t frame,
    uint64_t *id)
{
	uint64_t *kept, **found;

	if (!find(m, name, frame, id))
		return false;
	kept = cmd_alloc(sizeof(*kept));
	*kept = *id;
	if ((found = tsearch(kept, &m->used, compare)) == NULL)
		cmd_die("out of memory");
	if (*found == kept)
		return true;
	free(kept);
	cmd_warn("%s: its id for coco is %" PRIu64 ", which another picture "
	    "has%s", name != NULL ? name : "stdin", *id, frame == 0 ?
	    "; --image-ids distinguishes them" : "");
	return false;
}

void
coco_ids_close(struct coco_ids *m)
{
	tdestroy(m->used, free);
	imageids_free(&m->ids);
}
