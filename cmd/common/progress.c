// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd.h"
#include "progress.h"
#include "transient_line.h"

#define SECOND UINT64_C(1000000000)

enum when { AUTO, ALWAYS, NEVER };

const char *const progress_choices[] = { "auto", "always", "never", NULL };

static enum when when;
static struct {
	enum { OFF, LINE, LOG } form;
	const char *what;
	uint64_t total;		/* 0: not known */
	uint64_t begin, next;	/* ns */
} progress;

bool
progress_option(int opt, const char *arg)
{
	if (opt != PROGRESS_OPTION)
		return false;
	when = (enum when)cmd_choice("--progress", arg, progress_choices);
	return true;
}

static uint64_t
interval(void)
{
	return progress.form == LOG ? 10 * SECOND : SECOND / 4;
}

void
progress_begin(const char *what, uint64_t total)
{
	progress.form = OFF;
	if (!cmd_quiet && when == ALWAYS)
		progress.form = LOG;
	else if (!cmd_quiet && when == AUTO && isatty(STDERR_FILENO))
		progress.form = LINE;
	progress.what = what;
	progress.total = total;
	progress.begin = clock_ns();
	progress.next = progress.begin +
	    (progress.form == LOG ? interval() : SECOND);
}

bool
progress_wanted(void)
{
	return progress.form != OFF;
}

void
progress_total(uint64_t total)
{
	progress.total = total;
}

/* ---- The text ------------------------------------------------------------ */

/* Adds a duration: "3:05", "1:03:05". */
static void
format_time(uint64_t s, char *text, size_t n)
{
	if (s >= 3600)
		snprintf(text, n, "%" PRIu64 ":%02u:%02u", s / 3600,
		    (unsigned)(s / 60 % 60), (unsigned)(s % 60));
	else
		snprintf(text, n, "%u:%02u", (unsigned)(s / 60),
		    (unsigned)(s % 60));
}

/* Formats a rate for a second, or for a minute where it is below 1/s. */
static void
format_rate(double per_second, char *text, size_t n)
{
	if (per_second >= 1)
		snprintf(text, n, "%.1f/s", per_second);
	else
		snprintf(text, n, "%.1f/min", 60 * per_second);
}

/* Adds "128 of 3000 pictures, 41.2/s, 1:10 left". */
static void
format_progress(uint64_t done, double seconds, char *text, size_t n)
{
	const double rate = (double)done / seconds;
	char of[30] = "", per[30], left[40] = "", end[44] = "";

	format_rate(rate, per, sizeof(per));
	if (progress.total > 0)
		snprintf(of, sizeof(of), " of %" PRIu64, progress.total);
	if (progress.total > done && done > 0) {
		format_time((uint64_t)((double)(progress.total - done) / rate +
		    0.5), left, sizeof(left));
		snprintf(end, sizeof(end), ", %s left", left);
	}
	snprintf(text, n, "%" PRIu64 "%s %s, %s%s", done, of, progress.what,
	    per, end);
}

/* ---- Showing it ---------------------------------------------------------- */

void
progress_update(uint64_t done)
{
	char text[200];
	uint64_t now;

	if (progress.form == OFF || (now = clock_ns()) < progress.next)
		return;
	progress.next = now + interval();
	format_progress(done, (double)(now - progress.begin) / 1e9, text,
	    sizeof(text));
	if (progress.form == LOG)
		cmd_warn("%s", text);
	else
		transient_line_show(text);
}

void
progress_end(void)
{
	transient_line_hide();
	progress.form = OFF;
}
