/* SPDX-License-Identifier: Apache-2.0 */
/* yolo-detect's pictures: with boxes (--draw), and of single objects
 * (--crop). */
#ifndef YOLO_DETECT_DRAWN_OUTPUT_H
#define YOLO_DETECT_DRAWN_OUTPUT_H

#include "pictures/output_dir.h"
#include "pictures/preprocess_pool.h"
#include "vision/classnames.h"
#include "vision/yolo.h"

struct drawn_output {
	/* Options; zeroed before. */
	const char *draw;	/* a folder, or "-": PPM to stdout */
	const char *crop;	/* a folder */

	struct output_dir drawn, crops;
	struct output out;	/* of "-" */
	bool failed;		/* a picture could not be written */
};

/* Whether boxed pictures go to standard output. */
bool drawn_output_to_stdout(const struct drawn_output *s);
/* Whether the whole picture is needed. */
bool drawn_output_wanted(const struct drawn_output *s);
/* Makes the folders; dies. */
void drawn_output_open(struct drawn_output *s);
/* Draws on p->image.  False, after a warning, if a file cannot be written, and
 * then failed is set. */
bool drawn_output_put(struct drawn_output *s, struct preprocessed *p,
    const struct classnames *names, const struct detection *found, size_t n);
void drawn_output_close(struct drawn_output *s);

#endif
