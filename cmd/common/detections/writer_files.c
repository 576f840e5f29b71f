// SPDX-License-Identifier: Apache-2.0
/* What detection_writer_put() needs of files beside its output: the ids of
 * COCO's pictures, and a file for each picture. */
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>

#include "writer.h"

/* ---- Ids -------------------------------------------------------------- */

void
image_ids_open(struct detection_writer *w)
{
	const char *file = w->style.image_ids;
	struct npu_err err;
	struct bytes text;
	size_t n;
	int rc;

	if (file == NULL)
		return;
	text.p = cmd_read_file(file, IMAGEIDS_MAX_FILE, &n);
	text.n = n;
	rc = imageids_read(&w->ids, text, &err);
	free((void *)(uintptr_t)text.p);
	if (rc < 0)
		cmd_die_err(cmd_input_name(file), &err);
}

/* Of the file or the names. */
static bool
find(const struct detection_writer *w, const struct detected_picture *p,
    uint64_t *id)
{
	if (p->frame != 0) {
		*id = p->frame;
		return true;
	}
	if (p->file == NULL) {
		cmd_warn("a picture without a name has no id for coco");
		return false;
	}
	if (w->style.image_ids != NULL) {
		if (imageids_find(&w->ids, p->file, id))
			return true;
		cmd_warn("%s: is not in the file of --image-ids", p->file);
		return false;
	}
	if (imageids_in_name(p->file, id))
		return true;
	cmd_warn("%s: has no number in its name to be its id for coco; say it "
	    "with --image-ids", p->file);
	return false;
}

static int
compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

bool
image_ids_find(struct detection_writer *w, const struct detected_picture *p,
    uint64_t *id)
{
	uint64_t *kept, **found;

	if (!find(w, p, id))
		return false;
	kept = cmd_alloc(sizeof(*kept));
	*kept = *id;
	if ((found = tsearch(kept, &w->ids_given, compare)) == NULL)
		cmd_die("out of memory");
	if (*found == kept)
		return true;
	free(kept);
	cmd_warn("%s: its id for coco is %" PRIu64 ", which another picture "
	    "has%s", p->file != NULL ? p->file : "stdin", *id, p->frame == 0 ?
	    "; --image-ids tells them apart" : "");
	return false;
}

void
image_ids_close(struct detection_writer *w)
{
	tdestroy(w->ids_given, free);
	imageids_free(&w->ids);
}

/* ---- A file a picture ------------------------------------------------- */

/* A line: class, centre and sides as parts of the picture's, confidence. */
static void
yolo_line(struct buf *b, const struct detected_picture *p,
    const struct detection *d, bool confidence)
{
	const double w = p->width, h = p->height;
	const double x1 = (double)d->box[0], y1 = (double)d->box[1];
	const double x2 = (double)d->box[2], y2 = (double)d->box[3];

	buf_printf(b, "%u %.6g %.6g %.6g %.6g", d->class, (x1 + x2) / 2 / w,
	    (y1 + y2) / 2 / h, (x2 - x1) / w, (y2 - y1) / h);
	if (confidence) {
		buf_puts(b, " ");
		format_number(b, format_confidence((double)d->confidence));
	}
	buf_puts(b, "\n");
}

bool
detection_writer_put_file(struct detection_writer *w,
    const struct detected_picture *p)
{
	struct buf b = { 0 };
	struct npu_err err;
	const char *file = p->file == NULL && p->on_stdin ? "-" : p->file;
	const char *path = output_dir_path(&w->folder, file, p->frame, "txt",
	    &err);

	if (path == NULL) {
		cmd_warn("%s: %s", p->file != NULL ? p->file : "stdin",
		    err.msg);
		return false;
	}
	for (size_t i = 0; i < p->n; i++)
		yolo_line(&b, p, &p->found[i], w->style.conf_column);
	cmd_write_document(path, &b);
	return true;
}
