// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd.h"
#include "pipe_claim.h"
#include "progress.h"
#include "transient_line.h"

#define SECOND UINT64_C(1000000000)

enum when { AUTO, ALWAYS, NEVER };

const char *const progress_choices[] = { "auto", "always", "never", NULL };

static enum when when;
static struct {
	enum { OFF, LINE, LOG } form;
	const char *what;
	bool shown;		/* LINE: the line belongs to this program */
	uint64_t total;		/* 0: not known */
	uint64_t done;
	uint64_t bytes, unit;	/* bytes read, and those counted as one; unit
				   0: not counted */
	uint64_t begin, next;	/* ns */
	uint64_t since, expected;	/* ns: the time of progress_expect(),
					   and from there to the end; 0:
					   computed from the rate */
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
	progress.done = progress.expected = 0;
	progress.bytes = progress.unit = 0;
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
	if (progress.total > 0)
		progress.expected = (uint64_t)((double)progress.expected *
		    (double)total / (double)progress.total);
	progress.total = total;
}

void
progress_expect(uint64_t left)
{
	progress.since = clock_ns();
	progress.expected = left;
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

/* Returns how many are done in a second.  Between two long steps the rate stays
 * as it is. */
static double
rate_of(uint64_t done, uint64_t now)
{
	if (progress.expected > 0)
		return (double)progress.total / ((double)progress.expected /
		    1e9);
	return (double)done / ((double)(now - progress.begin) / 1e9);
}

/* Returns the seconds left, or a negative number if they are unknown. */
static double
seconds_left(uint64_t done, uint64_t now)
{
	if (progress.total <= done)
		return -1;
	if (progress.expected > 0)
		return ((double)progress.expected -
		    (double)(now - progress.since)) / 1e9;
	return done > 0 ? (double)(progress.total - done) /
	    rate_of(done, now) : -1;
}

/* Formats "128 of 3000 pictures, 41.2/s, 1:10 left". */
static void
format_progress(uint64_t done, uint64_t now, char *text, size_t n)
{
	const uint64_t all = progress.total > 0 ? progress.total : done;
	const double left = seconds_left(done, now);
	const double so_far = (double)(now - progress.begin) / 1e9;
	size_t length = strlen(progress.what);
	char of[30] = "", rate[30], per[34] = "", time[40], end[50] = "";

	if (all == 1 && progress.what[length - 1] == 's')
		length--;
	if (progress.total > 0)
		snprintf(of, sizeof(of), " of %" PRIu64, progress.total);
	if (done > 0) {
		format_rate(rate_of(done, now), rate, sizeof(rate));
		snprintf(per, sizeof(per), ", %s", rate);
	}
	format_time((uint64_t)((left < 0 ? so_far : left) + 0.5), time,
	    sizeof(time));
	if (left >= 0 || done == 0)
		snprintf(end, sizeof(end), ", %s %s", time, left >= 0 ?
		    "left" : "so far");
	snprintf(text, n, "%" PRIu64 "%s %.*s%s%s", done, of, (int)length,
	    progress.what, per, end);
}

/* ---- Showing it ---------------------------------------------------------- */

void
progress_update(uint64_t done)
{
	char text[200];
	uint64_t now;

	if (progress.form == OFF)
		return;
	now = clock_ns();
	/* The steps before show how long the next steps will take. */
	if (progress.expected > 0 && done > progress.done)
		progress.expected = (uint64_t)((double)(now - progress.since) *
		    (double)progress.total / (double)done);
	progress.done = done;
	if (now < progress.next)
		return;
	progress.next = now + interval();
	/* Programs of one pipeline would overwrite each other's line. */
	if (progress.form == LINE && !progress.shown &&
	    !(progress.shown = pipe_claim("progress"))) {
		progress.form = OFF;
		return;
	}
	format_progress(done, now, text, sizeof(text));
	if (progress.form == LOG)
		cmd_warn("%s", text);
	else
		transient_line_show(text);
}

void
progress_tick(void)
{
	progress_update(progress.done);
}

/* Returns the bytes left in a regular file; else 0. */
static uint64_t
bytes_left(const char *path)
{
	const bool is_file = path != NULL && !cmd_is_dash(path);
	struct stat st;
	off_t at = 0;

	if ((is_file ? stat(path, &st) : fstat(STDIN_FILENO, &st)) < 0 ||
	    !S_ISREG(st.st_mode))
		return 0;
	if (!is_file && (at = lseek(STDIN_FILENO, 0, SEEK_CUR)) < 0)
		return 0;
	return at < st.st_size ? (uint64_t)(st.st_size - at) : 0;
}

void
progress_begin_files(char *const paths[], int n)
{
	uint64_t total = bytes_left(n > 0 ? paths[0] : NULL), some = total;

	for (int i = 1; i < n && some > 0; i++)
		total += some = bytes_left(paths[i]);
	if (some == 0)
		total = 0;
	progress_begin(total < 100000000 ? "kB" : "MB", 0);
	progress.unit = total < 100000000 ? 1000 : 1000000;
	progress.total = total / progress.unit;
	if (progress.form == LINE && total == 0)
		progress.form = OFF;
}

void
progress_bytes(size_t n)
{
	if (progress.unit == 0 || progress.form == OFF)
		return;
	progress.bytes += n;
	progress_update(progress.bytes / progress.unit);
}

void
progress_end(void)
{
	transient_line_hide();
	progress.form = OFF;
	progress.unit = 0;
}
