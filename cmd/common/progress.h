/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows the progress of long work on stderr: number done, total, rate, time
 * left.  On a terminal this is one line, shown after a second and overwritten;
 * with --progress=always, for logs, it is a new line every ten seconds.
 * Nothing is shown with -q (rule 32).
 *
 *	progress_begin("pictures", 3000);
 *	...
 *	progress_update(++done);
 *	...
 *	progress_end();
 */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "option.h"

/* The option's row for a program's table; progress_option() reads its value. */
enum { PROGRESS_OPTION = 1002 };
extern const char *const progress_choices[];
#define PROGRESS_OPTIONS \
	ONE_OF(PROGRESS_OPTION, "progress", "=WHEN", progress_choices, \
	    "auto (on a terminal), always (a line each 10 s) or never")

/* Reads the option.  Returns false for another option. */
bool progress_option(int opt, const char *arg);

/* Call after the options.  what is a plural, "pictures"; total 0: unknown. */
void progress_begin(const char *what, uint64_t total);
/* True if progress is shown at all, and an expensive total is worth finding. */
bool progress_wanted(void);
void progress_total(uint64_t total);
/* Says how long the work will take from now on, in ns: for work of few long
 * steps.  The time left is then shown before the first step is done, and
 * progress_tick() updates it within a step. */
void progress_expect(uint64_t left);
void progress_tick(void);
/* done is the number finished so far.  Call only in the thread that called
 * progress_begin(). */
void progress_update(uint64_t done);
void progress_end(void);

/*
 * Begins the progress of a program that reads its input once: the bytes of the
 * n files that have been read, or of stdin if n is 0.  It appears on a terminal
 * only if all are regular files: the program that writes to a pipe shows its
 * own progress.  The readers of streams and lines call progress_bytes(), which
 * otherwise does nothing.
 */
void progress_begin_files(char *const paths[], int n);
void progress_bytes(size_t n);

#endif
