/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes detections in the formats of yolo-detect and yolo-decode.
 *
 *	detection_writer_open(&w, &style);
 *	detection_writer_put(&w, &picture);		for each, in order
 *	detection_writer_close(&w);
 *
 * Numbers are the same in all formats: a box in hundredths of a pixel, a
 * confidence with 5 significant digits, which distinguish any two f16.
 */
#ifndef CMD_DETECTIONS_WRITER_H
#define CMD_DETECTIONS_WRITER_H

#include "base/json.h"
#include "cmd.h"
#include "coco_ids.h"
#include "pictures/output_dir.h"
#include "vision/classnames.h"
#include "vision/yolo.h"

enum detection_format {
	DETECTIONS_UNSET,	/* tsv on a terminal, else jsonl */
	DETECTIONS_TSV,
	DETECTIONS_CSV,
	DETECTIONS_JSON,	/* one document: an object for one picture, an
				   array where several may come */
	DETECTIONS_JSONL,	/* an object a line */
	DETECTIONS_COCO,	/* the array that pycocotools reads */
	DETECTIONS_YOLO,	/* a file a picture, in the folder output */
};

extern const char *const detection_formats[];
/* Coordinates and scores as every format writes them: to a hundredth of a
 * pixel, with five digits. */
double detection_pixels(double v);
double detection_confidence(double v);

/* The format called arg, or a usage error. */
enum detection_format detection_format_parse(const char *arg);

struct detection_style {
	enum detection_format format;
	const char *output;	/* -o; NULL: stdout */
	const char *image_ids;	/* coco: a file of them; NULL: the number in
				   a picture's name */
	bool several;		/* json: more than one picture may come */
	bool conf_column;	/* yolo: a confidence in each line */
	struct output_naming naming;	/* yolo */
	double conf, iou;	/* of the options; iou NaN: null */
};

/* One picture and what was found in it. */
struct detected_picture {
	const char *file;	/* NULL: it has no name */
	bool on_stdin;		/* it was read from there */
	uint64_t frame;		/* of a stream of pictures, from 1; 0: the file
				   is one picture */
	uint32_t width, height;	/* upright; 0, 0 with an error */
	const struct detection *found;
	size_t n;
	const char *error;	/* why nothing could be found; NULL: none */
	int status;		/* not 0: the last message is about a failure
				   of no picture, or of its drawing */
};

struct detection_writer {
	struct detection_style style;
	/* Set by the caller before the first picture without an error. */
	const struct classnames *names;
	uint64_t pictures, found;	/* put so far */
	bool failed;			/* a picture could not be written */

	struct output out;
	bool writing;			/* a failure is the output's */
	struct json json;
	struct coco_ids ids;		/* coco */
	uint64_t results;		/* coco: written so far */
	char *failure;			/* owned: the last message; or NULL */
	struct output_dir folder;	/* yolo */
};

/* Dies of a contradictory style.  *w is zeroed, and may be what
 * detection_writer_end_early() ends. */
void detection_writer_open(struct detection_writer *w,
    const struct detection_style *s);
/* Writes one record, flushed as by cmd_end_record().  Warns of a picture that
 * the format cannot name (no id, a file twice), and sets failed. */
void detection_writer_put(struct detection_writer *w,
    const struct detected_picture *p);
/* JSON: a last object of the failure that was reported last, and is no
 * picture's; except where the document is one object, and was written.  COCO:
 * an object with the last failure takes the place of an empty array. */
void detection_writer_fail(struct detection_writer *w, int status);
void detection_writer_close(struct detection_writer *w);
/* Ends the document after the records so far, before an exit without a close.
 * A file that appears when it is whole does not appear, except JSON, which has
 * the reason. */
void detection_writer_end_early(struct detection_writer *w);

#endif
