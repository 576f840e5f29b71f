// SPDX-License-Identifier: Apache-2.0
/*
 * screen.c - the terminal's alternate screen (xterm's control sequences, which
 * every current terminal supports), and the signals that must not leave it on.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd.h"
#include "signals.h"
#include "top.h"

/* Alternate screen, no cursor, cleared; and back. */
static const char begin[] = "\033[?1049h\033[?25l\033[H\033[2J";
static const char end[] = "\033[?25h\033[?1049l";

static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

#define NENDS (sizeof(ends) / sizeof(*ends))

static volatile sig_atomic_t ended, stopped, changed;
static bool on;

static void
on_end(int sig)
{
	ended = sig;
}

static void
on_stop(int sig)
{
	(void)sig;
	stopped = 1;
}

static void
on_change(int sig)
{
	(void)sig;
	changed = 1;
}

/*
 * No SA_RESTART: signals must end waits.  Ignored signals stay ignored (nohup).
 */
static void
handle(int sig, void (*handler)(int))
{
	struct sigaction old, sa = { .sa_handler = handler };

	sigaction(sig, NULL, &old);
	if (old.sa_handler != SIG_IGN)
		sigaction(sig, &sa, NULL);
}

static void
put(const char *p, size_t n)
{
	ssize_t r;

	while (n > 0) {
		r = write(STDOUT_FILENO, p, n);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0 && on) {
			on = false;	/* it is gone: nothing to restore */
			keys_end();
			cmd_die("write error: %s", strerror(errno));
		}
		if (r < 0)
			return;
		p += r;
		n -= (size_t)r;
	}
}

static void
end_on_exit(void *unused)
{
	(void)unused;
	screen_end();
}

void
screen_begin(void)
{
	for (size_t i = 0; i < NENDS; i++)
		handle(ends[i], on_end);
	handle(SIGTSTP, on_stop);
	handle(SIGWINCH, on_change);
	handle(SIGCONT, on_change);
	on = true;
	cmd_on_exit(end_on_exit, NULL);
	keys_begin();
	put(begin, sizeof(begin) - 1);
}

void
screen_end(void)
{
	if (!on)
		return;
	on = false;
	keys_end();
	put(end, sizeof(end) - 1);
}

/* Overwrites line by line, which avoids flicker. */
void
screen_draw(const struct buf *view)
{
	put("\033[H", 3);
	put(view->p, view->n);
	put("\033[K\033[J", 6);
}

struct view_size
screen_size(void)
{
	struct winsize w = { .ws_col = 0 };

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &w);
	if (w.ws_col == 0 || w.ws_row == 0)
		return (struct view_size){ 80, 24 };
	return (struct view_size){ w.ws_col, w.ws_row };
}

bool
screen_handle_signals(void)
{
	bool redraw = changed != 0;

	changed = 0;
	if (ended != 0) {
		screen_end();
		end_of_signal(ended);
	}
	if (stopped == 0)
		return redraw;
	stopped = 0;
	screen_end();
	signal(SIGTSTP, SIG_DFL);
	raise(SIGTSTP);		/* returns with SIGCONT */
	screen_begin();
	return true;
}
