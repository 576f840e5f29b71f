// SPDX-License-Identifier: Apache-2.0
/* history.c - the busy shares of the last readings, one character each. */
#include <math.h>
#include <string.h>

#include "top.h"

/* 0, and nine steps up to 1; ' ': unknown. */
static const char levels[] = "_.:-=+*#%@";

static char
level(double share)
{
	if (isnan(share))
		return ' ';
	return levels[(int)ceil(share * (sizeof(levels) - 2))];
}

static void
push(char row[HISTORY + 1], double share)
{
	size_t n = strlen(row);

	if (n == HISTORY)
		memmove(row, row + 1, n--);
	row[n] = level(share);
	row[n + 1] = '\0';
}

void
history_add(struct history *h, const struct top_output *t)
{
	const struct sampler_counts *c = &t->r->counts;

	push(h->all, t->busy);
	for (unsigned i = 0; i < SAMPLER_CORES; i++)
		push(h->core[i], c->has_cores && i < c->cores &&
		    c->samples > 0 ? (double)c->core[i].busy / c->samples :
		    NAN);
}
