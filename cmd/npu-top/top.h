/* SPDX-License-Identifier: Apache-2.0 */
/* npu-top's outputs, and the terminal. */
#ifndef NPU_TOP_TOP_H
#define NPU_TOP_TOP_H

#include <time.h>

#include "base/buf.h"
#include "diagnose/activity.h"

/* One output. */
struct top_output {
	const struct activity_reading *r;
	const char *node;
	struct timespec time;
	double busy, low, high;		/* NAN: no sample */
};

/* The share of r, and its limits of 95 %. */
void top_judge(struct top_output *t);

/* A line of JSON, or lines of fields. */
void top_add_json(struct buf *b, const struct top_output *t);
void top_add_plain(struct buf *b, const struct top_output *t);

/* ---- The view ---------------------------------------------------------- */

struct top_size {
	unsigned columns, rows;
};

struct top_look {
	struct top_size size;	/* what is beyond is left out */
	bool colour;
	const char *end;	/* of each line but the last */
};

void top_add_view(struct buf *b, const struct top_output *t,
    const struct top_look *look);

/* ---- The terminal ------------------------------------------------------ */

/*
 * The terminal's other screen, on descriptor 1.  Signals that end the program
 * or stop it give the terminal back first.
 */
void screen_begin(void);
void screen_end(void);		/* twice is allowed */
void screen_draw(const struct buf *view);
struct top_size screen_size(void);

/* What signals asked for since the last call: the end, which does not return;
 * a stop, which does when it is over.  True: the view must be drawn anew. */
bool screen_obey(void);

#endif
