/* SPDX-License-Identifier: Apache-2.0 */
/* Writes yolo-detect's pictures: with boxes (--draw), and of single objects
 * (--crop). */
#ifndef YOLO_DETECT_DRAWN_OUTPUT_H
#define YOLO_DETECT_DRAWN_OUTPUT_H

#include "pictures/output_dir.h"
#include "pictures/preprocess_pool.h"
#include "vision/classnames.h"
#include "vision/yolo.h"

struct drawn_output {
	/* Options; zeroed by the caller. */
	const char *draw;	/* a folder, or "-": PPM to stdout */
	const char *crop;	/* a folder */

	struct output_dir drawn, crops;
	struct output out;	/* for "-" */
	bool failed;		/* a picture could not be written */
};

/* Returns true if pictures with boxes are written to standard output. */
bool drawn_output_to_stdout(const struct drawn_output *s);
/* Returns true if the whole picture is needed, for --draw or --crop. */
bool drawn_output_wanted(const struct drawn_output *s);
/* Creates the folders; dies on failure. */
void drawn_output_open(struct drawn_output *s);
/* Writes the picture's files; draws on p->image.  If a file has no possible
 * name, prints a message, sets s->failed and returns false; dies if a file
 * cannot be written. */
bool drawn_output_put(struct drawn_output *s, struct preprocessed *p,
    const struct classnames *names, const struct detection *found, size_t n);
void drawn_output_close(struct drawn_output *s);

#endif
