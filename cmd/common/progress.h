/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far a long run is, as one line of stderr that is written over: only on a
 * terminal, only after a second, never with -q (rule 32).
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
/* done of them by now. */
void progress_update(struct progress *p, uint64_t done);
/* Takes the line away: before another is written, and at the end. */
void progress_clear(struct progress *p);

#endif
