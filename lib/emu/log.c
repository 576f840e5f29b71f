// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/locale.h"
#include "emu/log.h"

static int fd = -1;
static pid_t owner;		/* a forked child logs no totals */

static struct {
	uint64_t made, ended, left, most;
} totals[LOG_KINDS];

bool
log_open(const char *path)
{
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	owner = getpid();
	return fd >= 0;
}

/* Writes each line with one write(), as otherwise lines of several threads
 * could mix. */
static void __attribute__((format(printf, 1, 2)))
add_line(const char *fmt, ...)
{
	char line[200];
	ssize_t done;
	va_list ap;
	int n;

	if (fd < 0)
		return;
	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	/* All texts come from our tables, so no line is truncated. */
	done = write(fd, line, (size_t)n);
	(void)done;	/* a reader notices a missing line */
}

void
log_fault(const char *call, uint64_t n, uint64_t runs, const char *fault)
{
	add_line("fault %s %" PRIu64 " %" PRIu64 " %s\n", call, n, runs,
	    fault);
}

void
log_delay(const char *call, uint64_t n, uint64_t runs, int64_t ns)
{
	locale_t before = locale_begin_c();
	char fault[40];

	snprintf(fault, sizeof(fault), "delay=%g", (double)ns / 1e6);
	locale_end(before);
	log_fault(call, n, runs, fault);
}

void
log_created(enum log_kind kind)
{
	uint64_t alive = ++totals[kind].made - totals[kind].ended;

	if (alive > totals[kind].most)
		totals[kind].most = alive;
}

void
log_ended(enum log_kind kind)
{
	totals[kind].ended++;
}

void
log_left_open(enum log_kind kind)
{
	totals[kind].left++;
}

void
log_totals(void)
{
	static const char *const names[LOG_KINDS] = {
		[LOG_CONTEXT] = "context", [LOG_GRAPH] = "graph",
		[LOG_JOB] = "job",
	};

	for (int i = 0; i < LOG_KINDS && owner == getpid(); i++)
		add_line("made %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		    "\n", names[i], totals[i].made,
		    totals[i].ended - totals[i].left,
		    totals[i].left + totals[i].made - totals[i].ended,
		    totals[i].most);
}
