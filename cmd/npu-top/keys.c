// SPDX-License-Identifier: Apache-2.0
/* keys.c - reads single keys from the terminal on stdin, while the view is
 * shown. */
#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "top.h"

enum { ESC = 27 };

static struct termios before;
static bool on;

/* Turns off lines and echo; the terminal's signals, such as Ctrl-C, stay on. */
void
keys_begin(void)
{
	struct termios raw;

	/* A background process that changes the terminal would be stopped. */
	if (on || tcgetpgrp(STDIN_FILENO) != getpgrp() ||
	    tcgetattr(STDIN_FILENO, &before) < 0)
		return;
	raw = before;
	raw.c_lflag &= (tcflag_t)~(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	on = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
}

void
keys_end(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;

	if (!on)
		return;
	on = false;
	/* Restores what was changed, from any process group. */
	sigaction(SIGTTOU, &ignore, &old);
	tcsetattr(STDIN_FILENO, TCSANOW, &before);
	sigaction(SIGTTOU, &old, NULL);
}

bool
keys_work(void)
{
	return on;
}

int
keys_wait(uint64_t until)
{
	struct pollfd f = { .fd = on ? STDIN_FILENO : -1, .events = POLLIN };
	uint64_t now = clock_ns(), left = until > now ? until - now : 0;
	struct timespec t = { .tv_sec = (time_t)(left / 1000000000),
	    .tv_nsec = (long)(left % 1000000000) };
	char key;

	if (ppoll(&f, 1, &t, NULL) <= 0)
		return 0;
	if (read(STDIN_FILENO, &key, 1) == 1) {
		/* F2 sends ESC O Q, and Home sends ESC [ H. */
		if (key == ESC)
			tcflush(STDIN_FILENO, TCIFLUSH);
		return (unsigned char)key;
	}
	keys_end();		/* the terminal is gone, or this process must
				   not read it */
	return 0;
}
