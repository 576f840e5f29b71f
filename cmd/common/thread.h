/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of a program whose first thread gets the signals. */
#ifndef CMD_THREAD_H
#define CMD_THREAD_H

#include <pthread.h>

/* As pthread_create(), with all signals blocked in the thread; an errno. */
int wait_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* As pthread_cond_wait(), but no longer than a tenth of a second, so that
 * cmd_stop is seen: a signal does not end pthread_cond_wait(). */
void wait_some(pthread_cond_t *cond, pthread_mutex_t *lock);

#endif
