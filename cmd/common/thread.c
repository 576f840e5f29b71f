// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <time.h>

#include "thread.h"

int
wait_start(pthread_t *thread, void *(*run)(void *), void *arg)
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
wait_some(pthread_cond_t *cond, pthread_mutex_t *lock)
{
	enum { WAIT_NS = 100000000, SECOND = 1000000000 };
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += WAIT_NS;
	until.tv_sec += until.tv_nsec / SECOND;
	until.tv_nsec %= SECOND;
	pthread_cond_timedwait(cond, lock, &until);
}
