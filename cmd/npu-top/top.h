/* SPDX-License-Identifier: Apache-2.0 */
/* The outputs of npu-top: lines, the view, and the terminal. */
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
	double busy, low, high;		/* NAN: without a sample */
};

/* Computes busy, low and high from r: the share, and its 95 % limits. */
void top_compute_share(struct top_output *t);

/* Add a line of JSON, or lines of fields. */
void top_add_json(struct buf *b, const struct top_output *t);
void top_add_plain(struct buf *b, const struct top_output *t);
/* Add a row for each core, or one row without a core, with a separator, ',' or
 * TAB, between fields; and the names of the fields. */
void top_add_rows(struct buf *b, const struct top_output *t, char separator);
void top_add_rows_head(struct buf *b, char separator);

/* ---- The past ---------------------------------------------------------- */

enum { HISTORY = 27 };		/* number of readings */

/* One character for each reading, the last at the right. */
struct history {
	char all[HISTORY + 1];
	char core[SAMPLER_CORES][HISTORY + 1];
};

void history_add(struct history *h, const struct top_output *t);

/* ---- The view ---------------------------------------------------------- */

struct view_size {
	unsigned columns, rows;
};

struct view_options {
	struct view_size size;	/* the rest is cut off */
	bool colour;
	bool keys;		/* keys work in the view */
	const struct history *history;
	const char *end;	/* ends each line but the last */
};

void top_add_view(struct buf *b, const struct top_output *t,
    const struct view_options *look);

void top_add_help(struct buf *b, const struct view_options *look);

/* ---- A command --------------------------------------------------------- */

/*
 * Runs a command, and samples the driver until it ends.  Returns the command's
 * status as in wait(2).  Passes SIGTERM and SIGHUP on to the command, and
 * ignores the signals of the terminal's keys, which the command gets as well.
 * Exits if the command cannot be started.
 */
int during_run(struct activity *a, char *const *command);

/* Ends by the signal that killed the command: a shell whose user presses Ctrl-C
 * ends its loop only if SIGINT killed the program. */
_Noreturn void during_end_as(int status);

/* Adds a line of text about the use of the NPU. */
void during_add_line(struct buf *b, const struct top_output *t,
    const char *command);

/* Returns EXIT_DONE if the NPU was used, EXIT_VERDICT if it was not, and
 * EXIT_NOVERDICT if that is unknown. */
int during_status(const struct top_output *t);

/* ---- Keys ------------------------------------------------------------- */

/* Reads single keys, if stdin is a terminal and this process is in its
 * foreground. */
void keys_begin(void);
void keys_end(void);		/* twice is allowed */
bool keys_work(void);
/* Waits until clock_ns() is until, a signal, or a key, which it returns; else
 * 0. */
int keys_wait(uint64_t until);

/* ---- The terminal ------------------------------------------------------ */

/*
 * The terminal's alternate screen, on descriptor 1.  Signals that end or stop
 * the program restore the terminal first.
 */
void screen_begin(void);
void screen_end(void);		/* twice is allowed */
void screen_draw(const struct buf *view);
struct view_size screen_size(void);

/* Does what signals have asked for since the last call: ends the program, or
 * stops it and returns once it continues.  Returns true if the view must be
 * redrawn. */
bool screen_handle_signals(void);

#endif
