/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detections as data: what yolo-detect and yolo-decode write.
 *
 *	detections_open(&w, &style);
 *	detections_put(&w, &picture);		for each, in order
 *	detections_close(&w);
 *
 * Numbers are the same in all formats: a box in hundredths of a pixel, a
 * confidence with 5 significant digits, which tell any two f16 apart.
 */
#ifndef DETECTIONS_H
#define DETECTIONS_H

#include "cmd.h"
#include "vision/classnames.h"
#include "vision/yolo.h"

enum detections_format {
	DETECTIONS_UNSAID,	/* tsv on a terminal, else jsonl */
	DETECTIONS_TSV,
	DETECTIONS_CSV,
	DETECTIONS_JSON,	/* one document: an object for one picture, an
				   array for several */
	DETECTIONS_JSONL,	/* an object a line */
	DETECTIONS_COCO,	/* the array that pycocotools reads */
	DETECTIONS_YOLO,	/* a file a picture, in the folder output */
};

/* The format called arg, or a usage error. */
enum detections_format detections_format(const char *arg);

struct detections_style {
	enum detections_format format;
	const char *output;	/* -o; NULL: stdout */
	const char *image_ids;	/* coco: a file of them; NULL: the number in
				   a picture's name */
	bool several;		/* json: more than one picture may come */
	bool conf_column;	/* yolo: a confidence in each line */
	double conf, iou;	/* as they are told */
};

/* One picture and what was found in it. */
struct pictured {
	const char *file;	/* NULL: it has no name */
	uint32_t width, height;	/* upright; 0, 0 with an error */
	const struct detection *found;
	size_t n;
	const char *error;	/* why nothing could be found; NULL: none */
};

struct detections {
	struct detections_style style;
	const struct classnames *names;	/* set before the first picture without
					   an error */
	struct output out;
	struct ids *ids;		/* --image-ids */
	struct buf line;
	uint64_t pictures, found;	/* put so far */
	bool failed;			/* a picture could not be written */
	char **written;			/* yolo: files made so far, n of them */
	size_t n_written;
};

/* Dies of a style that cannot be. */
void detections_open(struct detections *w, const struct detections_style *s);
/* One record, flushed as cmd_end_record() does.  A picture that the format
 * cannot name (no id, a file twice) is warned of and sets failed. */
void detections_put(struct detections *w, const struct pictured *p);
void detections_close(struct detections *w);

#endif
