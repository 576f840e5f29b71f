// SPDX-License-Identifier: Apache-2.0
/* view.c - writes npu-top's output as a view for a terminal. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "top.h"

enum {
	LINE = 512,
	BESIDE = 50,		/* columns of a line outside its bar */
	LEAST_BAR = 10, MOST_BAR = 300,
};

struct view {
	struct buf *b;
	const struct view_options *options;
	unsigned lines;
};

static const char plain[] = "", bold[] = "\033[1m", red[] = "\033[1;31m";

/* Adds one line, cut to the width.  Names come from other programs: characters
 * beyond ASCII have an unknown width, and a terminal executes control
 * characters. */
static void
line(struct view *v, const char *colour, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
line(struct view *v, const char *colour, const char *fmt, ...)
{
	char text[LINE];
	va_list ap;
	size_t n;

	if (v->lines >= v->options->size.rows)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	n = strnlen(text, v->options->size.columns);
	text[n] = '\0';
	for (size_t i = 0; i < n; i++)
		if (text[i] < ' ' || text[i] > '~')
			text[i] = '?';
	if (!v->options->colour)
		colour = plain;
	if (v->lines++ > 0)
		buf_puts(v->b, v->options->end);
	buf_printf(v->b, "%s%s%s", colour, text, *colour != '\0' ?
	    "\033[0m" : "");
}

/* Formats "-", "n/a (who)" or the number. */
static const char *
show(char text[LINE], const struct activity_reading *r,
    enum activity_hidden what, double v, const char *fmt)
{
	if (what != ACTIVITY_HIDDEN && r->hidden[what][0] != '\0')
		snprintf(text, LINE, "n/a (%s)", r->hidden[what]);
	else if (isnan(v))
		strcpy(text, "-");
	else
		snprintf(text, LINE, fmt, v);
	return text;
}

static void
title(struct view *v, const struct top_output *t)
{
	char clock[16];
	struct tm tm;

	localtime_r(&t->time.tv_sec, &tm);
	strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
	line(v, bold, "npu-top  %s  %s  driver %s  own %.2f %%%s", clock,
	    t->node, t->r->driver_version[0] != '\0' ?
	    t->r->driver_version : "-", 100 * t->r->self,
	    v->options->keys ? "  h: help  q: end" : "");
}

/* Formats "[######......]", as wide as the terminal allows. */
static const char *
make_bar(const struct view *v, char bar[MOST_BAR + 3], double share)
{
	unsigned columns = v->options->size.columns;
	size_t n = columns < BESIDE + LEAST_BAR ? LEAST_BAR :
	    columns - BESIDE > MOST_BAR ? MOST_BAR : columns - BESIDE;

	bar[0] = '[';
	memset(bar + 1, '.', n);
	memset(bar + 1, '#', (size_t)lround(share * (double)n));
	strcpy(bar + 1 + n, "]");
	return bar;
}

static void
add_busy(struct view *v, const struct top_output *t)
{
	const struct sampler_counts *c = &t->r->counts;
	char bar[MOST_BAR + 3], text[LINE];

	if (!t->r->here && t->r->hidden[ACTIVITY_STATUS][0] == '\0')
		line(v, red, "gone        %s", t->r->gone.msg);
	if (isnan(t->busy)) {
		line(v, plain, "busy        %s", show(text, t->r,
		    ACTIVITY_STATUS, NAN, ""));
		return;
	}
	line(v, plain, "busy        %5.1f %% %s %.0f to %.0f %% (%u samples)",
	    100 * t->busy, make_bar(v, bar, t->busy), 100 * t->low,
	    100 * t->high, c->samples);
	line(v, plain, "past                %s", v->options->history->all);
	for (unsigned i = 0; c->has_cores && i < c->cores; i++) {
		double busy = (double)c->core[i].busy / c->samples;

		line(v, plain, "core %2u.%-2u  %5.1f %% %s %s",
		    c->core[i].cluster, c->core[i].core, 100 * busy,
		    make_bar(v, bar, busy), v->options->history->core[i]);
	}
	if (c->exceptions > 0)
		line(v, red, "exception   in %u of %u samples",
		    c->exceptions, c->samples);
}

static void
add_system(struct view *v, const struct activity_reading *r)
{
	char a[LINE];

	line(v, plain, "clock       %s", show(a, r, ACTIVITY_MHZ, r->mhz,
	    "%.0f MHz"));
	if (r->hidden[ACTIVITY_POWER][0] != '\0')
		line(v, plain, "power       %s", show(a, r, ACTIVITY_POWER,
		    NAN, ""));
	else if (isnan(r->active))
		line(v, plain, "power       %s", r->power[0] != '\0' ?
		    r->power : "-");
	else
		line(v, plain, "power       %s, %.1f %% of the time active",
		    r->power[0] != '\0' ? r->power : "-", 100 * r->active);
	if (r->power_sensor[0] != '\0')
		line(v, plain, "watts       %.2f W, %s", r->watts,
		    r->power_sensor);
	line(v, plain, "interrupts  %s", show(a, r, ACTIVITY_INTERRUPTS,
	    r->interrupts, "%.1f/s"));
	line(v, plain, "heat        %s%s%s", show(a, r, ACTIVITY_HIDDEN,
	    r->celsius, "%.1f C"), r->sensor[0] != '\0' ? ", " : "",
	    r->sensor);
}

static void
add_threads(struct view *v, const struct activity_reading *r)
{
	if (!r->counts.has_threads || r->counts.threads == 0)
		return;
	line(v, plain, "%s", "");
	line(v, bold, "%8s %8s %7s  %s", "THREAD", "PID", "BUSY", "COMMAND");
	for (unsigned i = 0; i < r->counts.threads; i++) {
		const struct activity_thread *t = &r->thread[i];

		line(v, plain, "%8ld %8ld %5.1f %%  %s", (long)t->id,
		    (long)t->pid, 100.0 * t->busy / r->counts.samples,
		    t->command[0] != '\0' ? t->command : "?");
	}
}

static void
add_holders(struct view *v, const struct activity_reading *r)
{
	const struct host_holders *h = &r->holders;

	if (!r->has_holders)
		return;
	line(v, plain, "%s", "");
	if (h->n == 0)
		line(v, plain, "nobody%s has it open (%.0f s ago)",
		    h->hidden > 0 ? " seen" : "", r->holders_age);
	else
		line(v, bold, "%8s  %s", "PID", "HAS IT OPEN");
	for (size_t i = 0; i < h->n; i++)
		line(v, plain, "%8ld  %s", (long)h->holder[i].pid,
		    h->holder[i].name);
	if (h->more > 0)
		line(v, plain, "and %u more", h->more);
	if (h->hidden > 0)
		line(v, plain, "n/a (%s)", r->hidden[ACTIVITY_HOLDERS]);
}

void
top_add_help(struct buf *b, const struct view_options *options)
{
	static const char *const text[] = {
		"q           end; so does Ctrl-C",
		"h or ?      this help; any key leaves it",
		"",
		"busy        share of the time, and its limits of 95 %",
		"past        the last readings, the latest at the right:",
		"            _ is 0, then . : - = + * # % @ up to 100 %",
		"core        cluster and core: the same of each",
		"",
		"npu-top(1) has the rest.",
	};
	struct view v = { .b = b, .options = options };

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		line(&v, plain, "%s", text[i]);
}

void
top_add_view(struct buf *b, const struct top_output *t,
    const struct view_options *options)
{
	struct view v = { .b = b, .options = options };

	title(&v, t);
	add_busy(&v, t);
	add_system(&v, t->r);
	if (t->r->trouble.code != 0)
		line(&v, red, "unread      %s", t->r->trouble.msg);
	add_threads(&v, t->r);
	add_holders(&v, t->r);
}
