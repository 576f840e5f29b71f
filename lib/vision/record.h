/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads detections as yolo-detect writes them in JSON, schema yolo-detect/1:
 * objects one after another, or one or more arrays of objects.
 *
 *	records_open(&r, source, &err);
 *	while ((rc = records_next(r, &record, &err)) > 0)
 *		...
 *	records_close(r);
 *
 * The bytes, depth and number of values of a record are limited before any part
 * of the record is parsed.
 */
#ifndef VISION_RECORD_H
#define VISION_RECORD_H

#include "image/source.h"
#include "vision/annotate.h"

enum {
	RECORD_MAX_BYTES = 1 << 24,
	RECORD_MAX_DEPTH = 16,
	RECORD_MAX_VALUES = 1 << 19,	/* 30,000 detections have 300,000 */
};

/* The detections of one picture.  The reader owns them; they are valid until
 * its next call. */
struct detection_record {
	uint64_t number;	/* from 1 */
	const char *file;	/* NULL: without a name */
	bool not_utf8;		/* name changed, as JSON cannot hold it */
	uint32_t frame;		/* in the stream file, from 1; 0: the file */
	const char *error;	/* why there are no detections; NULL: the
				 * members below are valid */
	uint32_t width, height;	/* upright; > 0 */
	const struct annotation *found;	/* best first */
	size_t n;
};

struct records;

int records_open(struct records **records, struct picture_source source,
    struct npu_err *err);

/*
 * Reads the next record.  Returns 1, 0 at the end, or negative with a message
 * that has the number of the record and the position in it ("record 2:
 * detections[3].box[2]: not a number").
 */
int records_next(struct records *records, struct detection_record *record,
    struct npu_err *err);

/* Returns whether an array was read, even an empty array. */
bool records_had_array(const struct records *records);

void records_close(struct records *records);	/* NULL is allowed */

#endif
