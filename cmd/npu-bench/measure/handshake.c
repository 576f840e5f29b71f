// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <unistd.h>

#include "cmd.h"
#include "handshake.h"

static int phases_fd = -1, go_fd = -1;

void
handshake_open(int phases, int go)
{
	phases_fd = phases;
	go_fd = go;
}

void
handshake_phase(struct bench_run *r, enum bench_phase phase)
{
	ssize_t written = 0;

	atomic_store(&r->phase, phase);
	/* The pipe has room for all phases, and therefore this does not block.
	 * If the program has ended, a signal ends this process. */
	if (phases_fd >= 0)
		written = write(phases_fd, ".", 1);
	(void)written;
}

bool
handshake_await_go(struct bench_run *r)
{
	enum { LOOK_MS = 100 };		/* interval for checking cmd_stop */
	struct pollfd p = { .fd = go_fd, .events = POLLIN };

	while (atomic_load(&r->go) == 0) {
		if (cmd_stop != 0)
			return false;
		if (poll(&p, 1, LOOK_MS) > 0 && (p.revents & POLLIN) == 0)
			return false;	/* the program has closed its end */
	}
	return true;
}
