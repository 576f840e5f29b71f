/* SPDX-License-Identifier: Apache-2.0 */
/* Starts threads in a program whose first thread receives the signals. */
#ifndef CMD_THREAD_H
#define CMD_THREAD_H

#include <pthread.h>

/* Most threads of a program: more than the processors of any such machine. */
enum { THREADS_MAX = 256 };

/*
 * Parses the argument of -j: 0 means as many threads as there are processors.
 */
unsigned thread_count(const char *arg);

/* Does the same as pthread_create(), but blocks all signals in the thread.
 * Returns an errno. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* Call in a thread that writes to pipes: SIGPIPE goes to the thread that
 * writes. */
void unblock_sigpipe(void);

/* Does the same as pthread_cond_wait(), but waits at most a tenth of a second.
 * The caller can then check cmd_stop: a signal does not end
 * pthread_cond_wait(). */
void cond_wait_100ms(pthread_cond_t *cond, pthread_mutex_t *lock);

#endif
