/* SPDX-License-Identifier: Apache-2.0 */
/* What clients get. */
#ifndef NPU_ZMQ_REPLY_H
#define NPU_ZMQ_REPLY_H

#include "base/json.h"
#include "vision/yolo.h"

enum {
	REPLY_ROWS = 20,	/* objects of a frame, as Frigate reads them */
	REPLY_COLUMNS = 6,	/* class, score, y_min, x_min, y_max, x_max */
};

#define REPLY_HEADER "{\"shape\":[20,6],\"dtype\":\"float32\"}"

/* The rows of the first n detections in an input of that size, best first, in
 * parts of the input; zeros after the last. */
void reply_rows(float rows[REPLY_ROWS][REPLY_COLUMNS],
    const struct detection *found, size_t n, uint32_t width,
    uint32_t height);

/*
 * The header of an error in place of objects: the reason is also the dtype, as
 * a client that knows no "error" fails there, and prints it, and does not take
 * the reply for a frame without objects.
 */
void reply_error_header(struct json *j, const char *why);
/* The same for other requests: one part. */
void reply_error(struct json *j, const char *why);

#endif
