/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of a program whose first thread receives the signals. */
#ifndef CMD_THREAD_H
#define CMD_THREAD_H

#include <pthread.h>

/* Most threads of a program: more than the processors of any such machine. */
enum { THREADS_MAX = 256 };

/* The argument of -j: 0 means as many threads as there are processors. */
unsigned thread_count(const char *arg);

/* As pthread_create(), with all signals blocked in the thread; an errno. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* For a thread that writes to pipes: SIGPIPE goes to the thread that writes. */
void unblock_sigpipe(void);

/* As pthread_cond_wait(), but no longer than a tenth of a second, so that
 * cmd_stop is seen: a signal does not end pthread_cond_wait(). */
void cond_wait_100ms(pthread_cond_t *cond, pthread_mutex_t *lock);

#endif
