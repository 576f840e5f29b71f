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
	DETECTIONS_JSON,	/* one document: an object for one picture,
				   an array if several may come */
	DETECTIONS_JSONL,	/* one object a line */
	DETECTIONS_COCO,	/* the array that pycocotools reads */
	DETECTIONS_YOLO,	/* a file for each picture, in the folder
				   output */
};

extern const char *const detection_formats[];
/* Returns coordinates and scores as every format writes them: rounded to a
 * hundredth of a pixel, or to five digits. */
double detection_pixels(double v);
double detection_confidence(double v);

/* Returns the format called arg; another name is a usage error. */
enum detection_format detection_format_parse(const char *arg);

struct detection_style {
	enum detection_format format;
	const char *output;	/* -o; NULL: stdout */
	const char *image_ids;	/* coco: file with the ids; NULL: the number
				   in a picture's name */
	bool several;		/* json: more than one picture may come */
	bool conf_column;	/* yolo: a confidence in each line */
	struct output_naming naming;	/* yolo */
	double conf, iou;	/* from the options; iou NaN is written as
				   null */
};

/* One picture and what was found in it. */
struct detected_picture {
	const char *file;	/* NULL: it has no name */
	bool on_stdin;		/* file is a name read from there */
	uint64_t frame;		/* number in a stream of pictures, from 1; 0:
				   the file is one picture */
	uint32_t width, height;	/* upright; 0, 0 with an error */
	const struct detection *found;
	size_t n;
	const char *error;	/* why detection failed; NULL: it succeeded */
	int status;		/* not 0: exit status of the last failure,
				   which does not concern a picture, or
				   concerns its drawing */
};

struct detection_writer {
	struct detection_style style;
	/* Set by the caller before the first picture without an error. */
	const struct classnames *names;
	uint64_t pictures, found;	/* put so far */
	bool failed;			/* a picture could not be written */

	struct output out;
	bool writing;			/* a failure now is a failure of the
					   output */
	struct json json;
	struct coco_ids ids;		/* coco */
	uint64_t results;		/* coco: written so far */
	char *failure;			/* owned: the last message, or NULL */
	struct output_dir folder;	/* yolo */
};

/* Opens the output; dies of a contradictory style.  Zeroes *w first, so
 * detection_writer_end_early() may be called from then on. */
void detection_writer_open(struct detection_writer *w,
    const struct detection_style *s);
/* Writes one record, flushed as by cmd_end_record().  If the format cannot name
 * the picture (no id, or a file twice), warns and sets failed. */
void detection_writer_put(struct detection_writer *w,
    const struct detected_picture *p);
/* JSON: adds a last object with the failure that was reported last and does not
 * concern a picture, unless the document is one object and was written.  COCO:
 * writes an object with the last failure in place of an empty array. */
void detection_writer_fail(struct detection_writer *w, int status);
void detection_writer_close(struct detection_writer *w);
/* Ends the document after the records so far, for an exit without a close.  A
 * file that appears only when it is whole does not appear, except a JSON file,
 * which contains the reason. */
void detection_writer_end_early(struct detection_writer *w);

#endif
