/* SPDX-License-Identifier: Apache-2.0 */
/* yolo-detect's pictures: with boxes (--draw), and of single objects
 * (--crop). */
#ifndef YOLO_DETECT_DRAWN_OUTPUT_H
#define YOLO_DETECT_DRAWN_OUTPUT_H

#include "pictures/output_dir.h"
#include "pictures/preprocess_pool.h"
#include "vision/classnames.h"
#include "vision/yolo.h"

struct shown {
	/* What was said; zeroed before. */
	const char *draw;	/* a folder, or "-": PPM to stdout */
	const char *crop;	/* a folder */

	struct output_dir drawn, crops;
	struct output out;	/* of "-" */
	bool failed;		/* a picture could not be written */
};

/* Whether the whole picture is needed. */
bool shown_wanted(const struct shown *s);
/* Makes the folders; dies. */
void shown_open(struct shown *s);
/* Draws on p->image.  What cannot be written is told and sets failed. */
void shown_put(struct shown *s, struct preprocessed *p,
    const struct classnames *names, const struct detection *found, size_t n);
void shown_close(struct shown *s);

#endif
