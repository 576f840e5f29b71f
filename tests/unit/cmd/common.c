// SPDX-License-Identifier: Apache-2.0
/* Promises of the programs' shared parts that no program needs yet. */
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "cmd.h"
#include "tap.h"
#include "tensors/value_stats.h"

const struct program program = { .name = "unasked" };

static void
on_alarm(int sig)
{
	cmd_stop = sig;
}

/* No program that catches signals waits for a writer there. */
static void
writers(void)
{
	/* Repeatedly, because one may come before open() waits. */
	const struct itimerval soon = { { 0, 20000 }, { 0, 20000 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	struct sigaction sa = { .sa_handler = on_alarm };
	char dir[] = "/tmp/unasked.XXXXXX", path[64];

	if (!ok(mkdtemp(dir) != NULL, "a folder"))
		return;
	snprintf(path, sizeof(path), "%s/pipe", dir);
	ok(mkfifo(path, 0600) == 0, "a pipe without a writer");
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	ok(cmd_open_input(path) == -1, "a signal ends the wait for it");
	setitimer(ITIMER_REAL, &never, NULL);
	ok(cmd_stop == SIGALRM, "and which one is known");
	cmd_stop = 0;
	unlink(path);
	rmdir(dir);
}

/* No program takes elements of no whole number of bytes. */
static void
compact(void)
{
	const uint8_t q[2] = { 0x80, 0x7f };
	struct value_stats s = { 0 };

	value_stats_add_stored(&s, NPU_U12C, q, 2);
	ok(!s.has_levels && s.seen == NULL && s.at_ends == 0,
	    "u12c has neither levels nor ends");
	value_stats_add_stored(&s, NPU_F16, q, 1);
	ok(!s.has_levels && s.seen == NULL, "nor has f16");
	value_stats_add_stored(&s, NPU_S8, q, 2);
	ok(s.has_levels && s.at_ends == 2, "-128 and 127 are those of s8");
	free(s.seen);
}

int
main(void)
{
	writers();
	compact();
	return done();
}
