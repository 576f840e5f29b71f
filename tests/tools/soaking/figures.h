/* SPDX-License-Identifier: Apache-2.0 */
/* The resources of a process, read while the process runs. */
#ifndef TESTS_TOOLS_SOAKING_FIGURES_H
#define TESTS_TOOLS_SOAKING_FIGURES_H

#include <stdbool.h>
#include <sys/types.h>

#include "account.h"

struct figures {
	long kib, threads, descriptors;
};

enum { QUARTERS = 4 };

struct watch {
	struct figures first;		/* after a tenth of the frames */
	struct figures most;		/* since then */
	struct figures quarter[QUARTERS];	/* the maximum in each */
	unsigned long looks;
	uint64_t next;			/* frame after which to look again */
	bool opens;			/* reopens the model: threads and
					   descriptors are fewer meanwhile */
	long growth_kib;		/* allowed growth; -1: any */
};

/* Looks at the process about 400 times in a run; n frames are answered. */
void watch_look(struct watch *w, const struct account *a, pid_t pid,
    uint64_t n);
/* Complains if anything grew. */
void watch_settle(const struct watch *w, struct account *a);
void watch_print(const struct watch *w);

#endif
