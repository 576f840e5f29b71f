// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd.h"
#include "progress.h"

#define SECOND 1000000000u

void
progress_open(struct progress *p, const char *what)
{
	*p = (struct progress){ .what = what, .begin = clock_ns(),
	    .on = !cmd_quiet && isatty(STDERR_FILENO) };
}

void
progress_update(struct progress *p, uint64_t done)
{
	uint64_t now;
	double s;

	if (!p->on)
		return;
	now = clock_ns();
	s = (double)(now - p->begin) / 1e9;
	if (now - p->begin < SECOND || now - p->last < SECOND / 4)
		return;
	p->last = now;
	p->shown = true;
	fprintf(stderr, "\r%" PRIu64 " %s, %.1f/s \033[K", done, p->what,
	    (double)done / s);
}

void
progress_clear(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
}
