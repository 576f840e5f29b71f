// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "temporary.h"

/* Never freed, so that a handler may walk the list at any time. */
static struct temporary *temporaries;

void
cmd_remove_temporaries(void)
{
	for (struct temporary *t = temporaries; t != NULL; t = t->next)
		if (t->name != NULL)
			unlink(t->name);
}

void
cmd_forget_temporaries(void)
{
	temporaries = NULL;
}

static void
end_now(int sig)
{
	cmd_remove_temporaries();
	raise(sig);		/* SA_RESETHAND: with the default action */
}

/* Only where the action is the default: nohup and npu-run set their own.
 * SIGQUIT still ends a program at once, with a core if one is wanted. */
static void
catch_signals(void)
{
	/* SIGABRT: a library's way to end us. */
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
	    SIGABRT };
	struct sigaction old, sa = { .sa_handler = end_now,
	    .sa_flags = (int)SA_RESETHAND };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		sigaction(signals[i], NULL, &old);
		if (old.sa_handler == SIG_DFL)
			sigaction(signals[i], &sa, NULL);
	}
}

/* Returns an entry whose file was renamed, so that a program can replace a file
 * any number of times, or a new entry. */
struct temporary *
temporary_new(void)
{
	struct temporary *t;

	catch_signals();
	for (t = temporaries; t != NULL; t = t->next)
		if (t->name == NULL)
			return t;
	if ((t = calloc(1, sizeof(*t))) == NULL)
		return NULL;
	t->next = temporaries;
	temporaries = t;
	return t;
}

void
temporary_forget(const char *name)
{
	for (struct temporary *t = temporaries; t != NULL; t = t->next)
		if (t->name == name)
			t->name = NULL;
}
