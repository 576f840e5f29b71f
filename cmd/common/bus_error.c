// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "bus_error.h"
#include "cmd.h"

static void
write_stderr(const char *p, size_t n)
{
	ssize_t written = write(STDERR_FILENO, p, n);

	(void)written;		/* an error cannot be handled here */
}

/* Handles SIGBUS: a mapped file has become shorter. */
static void
on_bus_error(int sig)
{
	static const char text[] = ": a file was cut while it was read\n";

	(void)sig;
	/* The function only calls unlink(). */
	/* NOLINTNEXTLINE(bugprone-signal-handler,cert-sig30-c) */
	cmd_remove_temporaries();
	write_stderr(program.name, strlen(program.name));
	write_stderr(text, sizeof(text) - 1);
	_exit(EXIT_FAILED);
}

void
cmd_catch_bus_error(void)
{
	signal(SIGBUS, on_bus_error);
}
