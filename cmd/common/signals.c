// SPDX-License-Identifier: Apache-2.0
/* signals.c - a model must be unloaded before the process ends (noe-abi 1.8),
 * so while one is loaded the signals that end a process only set a flag.
 * SIGQUIT still ends it at once (temporary.c). */
#include <stdlib.h>
#include <unistd.h>

#include "signals.h"
#include "temporary.h"
#include "transient_line.h"

volatile sig_atomic_t cmd_stop;

static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };

#define NSIGNALS (sizeof(signals) / sizeof(*signals))

static void
set_handler(int sig, void (*handler)(int))
{
	/* No SA_RESTART: a read() that waits must see the flag. */
	struct sigaction sa = { .sa_handler = handler };

	sigaction(sig, &sa, NULL);
}

/* The process dies of sig when the handler that calls this returns. */
static void
end_now(int sig)
{
	cmd_remove_temporaries();
	set_handler(sig, SIG_DFL);
	raise(sig);
}

/*
 * A signal between the check of the flag and a read() would leave that read()
 * waiting: the first alarm interrupts it.  At the second the 2 s for cleaning
 * up are over (rule 34): some call of the library does not return.
 * Dying of a signal runs no exit handler, so nothing aborts, and the driver
 * frees what a process leaves behind (noe-abi 9).
 */
static void
on_alarm(int sig)
{
	static volatile sig_atomic_t alarms;

	(void)sig;
	if (cmd_stop == 0)
		return;		/* not ours */
	if (++alarms == 2)
		end_now(cmd_stop);
	alarm(1);
}

static void
on_signal(int sig)
{
	if (cmd_stop == 0) {
		cmd_stop = sig;
		alarm(1);
	} else if (sig != SIGPIPE) {
		end_now(sig);
	}
}

void
cmd_catch_signals(void)
{
	struct sigaction old;

	set_handler(SIGALRM, on_alarm);
	for (size_t i = 0; i < NSIGNALS; i++) {
		sigaction(signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			set_handler(signals[i], on_signal);
	}
}

void
cmd_die_of_signal(void)
{
	int sig = cmd_stop;
	sigset_t set;

	transient_line_hide();
	cmd_remove_temporaries();
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	_exit(128 + sig);	/* not reached: the default action ends us */
}
