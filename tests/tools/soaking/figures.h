/* SPDX-License-Identifier: Apache-2.0 */
/* The resources of a process, read while it runs. */
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
	struct figures first;		/* after the first tenth */
	struct figures most;		/* since then */
	struct figures quarter[QUARTERS];	/* the most of each */
	unsigned long looks;
	uint64_t next;			/* frame to look at */
	bool opens;			/* the model now and then: threads and
					   descriptors are fewer meanwhile */
	long growth_kib;		/* allowed; -1: any */
};

/* Called some 400 times in a run; n frames are answered. */
void watch_look(struct watch *w, const struct account *a, pid_t pid,
    uint64_t n);
/* Whether nothing grew. */
void watch_settle(const struct watch *w, struct account *a);
void watch_print(const struct watch *w);

#endif
