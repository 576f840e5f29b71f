// SPDX-License-Identifier: Apache-2.0
/*
 * signals.c - signals that end the program.  A model must be unloaded before
 * the process ends (noe-abi 1.8).  While a model is loaded, the signals that
 * end a process therefore only set a flag.  SIGQUIT still ends the process
 * immediately.
 */
#include <pthread.h>
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
	/* No SA_RESTART: a blocked read() must notice the flag. */
	struct sigaction sa = { .sa_handler = handler };

	sigaction(sig, &sa, NULL);
}

void
end_of_signal(int sig)
{
	sigset_t set;

	cmd_remove_temporaries();
	set_handler(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	/* In process 1 of a container the kernel drops signals without a
	 * handler (pid_namespaces(7)). */
	_exit(128 + sig);
}

void
signals_end_program(void)
{
	/* SIGABRT: a library calls abort(). */
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT,
	    SIGABRT };
	struct sigaction old;

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		sigaction(ends[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			set_handler(ends[i], end_of_signal);
	}
}

/*
 * A signal between the check of the flag and a read() would leave that read()
 * blocked: the first alarm interrupts it.  At the second alarm, the 2 s for
 * cleaning up are over (rule 34): some call of the library does not return.  A
 * process that dies of a signal does not run exit handlers, and therefore does
 * not abort, and the driver frees what a process leaves behind (noe-abi 9).
 */
static void
on_alarm(int sig)
{
	static volatile sig_atomic_t alarms;

	(void)sig;
	if (cmd_stop == 0)
		return;		/* not set by this file */
	if (++alarms == 2)
		end_of_signal(cmd_stop);
	alarm(1);
}

static void
on_signal(int sig)
{
	if (cmd_stop == 0) {
		cmd_stop = sig;
		alarm(1);
	} else if (sig != SIGPIPE) {
		end_of_signal(sig);
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
	transient_line_hide();
	end_of_signal(cmd_stop);
}
