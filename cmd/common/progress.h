/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The progress of a long run, as one line of stderr that is overwritten: only
 * on a terminal, only after a second, never with -q (rule 32).
 */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on, shown;
	const char *what;	/* "vectors" */
	uint64_t begin, last;	/* ns */
};

void progress_open(struct progress *p, const char *what);
/* done of them so far. */
void progress_update(struct progress *p, uint64_t done);
/* Removes the line, before another is written and at the end. */
void progress_clear(struct progress *p);

#endif
