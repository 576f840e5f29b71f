// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd.h"
#include "device.h"
#include "notify.h"
#include "service.h"

/* ---- Signals ----------------------------------------------------------- */

sigset_t
service_block_signals(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	return set;
}

int
service_pending_signal(void)
{
	static const int ends[] = { SIGINT, SIGTERM };
	sigset_t set;

	sigpending(&set);
	for (size_t i = 0; i < 2; i++)
		if (sigismember(&set, ends[i]))
			return ends[i];
	return 0;
}

/* ---- The log ----------------------------------------------------------- */

int
service_open_log(const char *path)
{
	int fd = STDERR_FILENO;

	if (path != NULL && strcmp(path, "-") != 0)
		fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
		    0666);
	if (fd < 0)
		cmd_die("%s: %s", path, strerror(errno));
	return fd;
}

void
service_begin_line(struct json *j)
{
	char text[40];
	struct timespec now;
	struct tm tm;
	size_t n;

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	n = strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + n, sizeof(text) - n, ".%03ldZ", now.tv_nsec / 1000000);
	json_object(j);
	json_key(j, "time");
	json_str(j, text);
}

void
service_member_ms(struct json *j, const char *key, uint64_t ns)
{
	const uint64_t us = ns / 1000;

	json_key(j, key);
	json_double(j, (double)us / 1000);
}

/* Warns once: a full disk must not fill standard error. */
static void
warn_of_log(int why)
{
	static atomic_flag warned = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&warned))
		cmd_warn("the log: %s; lines are lost", strerror(why));
}

void
service_end_line(struct json *j, int fd)
{
	json_end_object(j);
	buf_puts(&j->out, "\n");
	if (!j->out.failed && write(fd, j->out.p, j->out.n) < 0)
		warn_of_log(errno);
	json_free(j);
}

/* ---- Standard output, and the service manager --------------------------- */

void
service_print_address(const char *url)
{
	struct output o;

	cmd_open_output(&o, NULL, false);
	cmd_write(&o, url, strlen(url));
	cmd_write(&o, "\n", 1);
	cmd_close_output(&o);
}

void
service_watchdog(uint64_t *last, bool alive)
{
	const uint64_t every = notify_watchdog_ns();

	if (every == 0 || !alive || clock_ns() - *last <= every)
		return;
	notify("WATCHDOG=1");
	*last = clock_ns();
}

bool
service_is_stuck(uint64_t since)
{
	/* A wait ends after 0.1 s, a timeout after 10 s or what -T says. */
	uint64_t limit = UINT64_C(60000000000);

	if (cmd_device.timeout_ms > 0)
		limit += (uint64_t)cmd_device.timeout_ms * 1000000;
	return since != 0 && clock_ns() > since + limit;
}
