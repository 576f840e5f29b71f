/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The progress of the program's long work: done of total, rate, time left.
 * On a terminal one line of stderr that is overwritten, after a second; with
 * --progress=always a line each ten seconds, for logs; never with -q (rule 32).
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

/* A row of a program's options; progress_option() takes its value. */
enum { PROGRESS_OPTION = 1002 };
extern const char *const progress_choices[];
#define PROGRESS_OPTIONS \
	ONE_OF(PROGRESS_OPTION, "progress", "=WHEN", progress_choices, \
	    "auto (on a terminal), always (a line each 10 s) or never")

/* False if it is not that option. */
bool progress_option(int opt, const char *arg);

/* After the options.  what: a plural, "pictures"; total 0: not known. */
void progress_begin(const char *what, uint64_t total);
/* Whether progress is shown at all: a total that is dear to find is wanted. */
bool progress_wanted(void);
void progress_total(uint64_t total);
/* done: the number finished so far.  Only by the thread that began. */
void progress_update(uint64_t done);
void progress_end(void);

#endif
