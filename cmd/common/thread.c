// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <signal.h>
#include <time.h>

#include "cmd.h"
#include "thread.h"

unsigned
thread_count(const char *arg)
{
	unsigned n = (unsigned)cmd_int("--jobs", arg, 0, THREADS_MAX);
	cpu_set_t set;

	if (n > 0)
		return n;
	/* A set that cannot name all processors means too many in any case. */
	n = sched_getaffinity(0, sizeof(set), &set) == 0 ?
	    (unsigned)CPU_COUNT(&set) : THREADS_MAX;
	return n < THREADS_MAX ? n : THREADS_MAX;
}

int
thread_start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t all, was;
	int e;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &was);
	e = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	return e;
}

void
unblock_sigpipe(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void
cond_wait_100ms(pthread_cond_t *cond, pthread_mutex_t *lock)
{
	enum { WAIT_NS = 100000000, SECOND = 1000000000 };
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += WAIT_NS;
	until.tv_sec += until.tv_nsec / SECOND;
	until.tv_nsec %= SECOND;
	pthread_cond_timedwait(cond, lock, &until);
}
