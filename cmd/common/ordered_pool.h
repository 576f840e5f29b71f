/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that work on slots, which are taken in the order in which they were
 * submitted.  The slots are an array of the caller's, through which the pool
 * counts: the caller fills one, a thread works on it, the caller takes it, uses
 * the result, an error too, and releases the slot to be filled again.
 *
 *	pool = ordered_pool_open(&spec);
 *	while (there is something to do) {
 *		while (ordered_pool_full(pool) && ordered_pool_take(pool, &i))
 *			use(&slot[i]), ordered_pool_release(pool);
 *		fill(&slot[ordered_pool_next(pool)]);
 *		ordered_pool_submit(pool);
 *	}
 *	while (ordered_pool_waiting(pool) && ordered_pool_take(pool, &i))
 *		use(&slot[i]), ordered_pool_release(pool);
 *	ordered_pool_close(pool);
 *
 * One thread fills and takes.  Several slots may be taken before they are
 * released, which is in the same order.
 */
#ifndef CMD_ORDERED_POOL_H
#define CMD_ORDERED_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct ordered_pool_spec {
	unsigned threads;	/* 0: ordered_pool_submit() does the work */
	bool all_threads;	/* dies where one of them cannot be started;
				   else only where none can */
	bool sigpipe;		/* they write to pipes (thread.h) */
	size_t slots;		/* submitted and not released, at most */
	/* Works on a slot; worker is below threads, or 0, and never at work
	 * twice at a time.  Neither prints nor exits. */
	void (*work)(void *arg, unsigned worker, size_t slot);
	void *arg;
};

struct ordered_pool;

/* Dies. */
struct ordered_pool *ordered_pool_open(const struct ordered_pool_spec *spec);

/* All slots are in use: one must be released before another is filled. */
bool ordered_pool_full(const struct ordered_pool *pool);
/* The slot to be filled next; the pool is not full. */
size_t ordered_pool_next(const struct ordered_pool *pool);
/* Hands it to the threads. */
void ordered_pool_submit(struct ordered_pool *pool);

/* Some were submitted and not taken. */
bool ordered_pool_waiting(const struct ordered_pool *pool);
/* The oldest of them is done. */
bool ordered_pool_ready(struct ordered_pool *pool);
/* Waits for that, at most a tenth of a second.  Some must be waiting. */
bool ordered_pool_wait(struct ordered_pool *pool);
/* Takes the oldest, as soon as it is done.  False, and nothing is taken, where
 * cmd_stop was set before that. */
bool ordered_pool_take(struct ordered_pool *pool, size_t *slot);
/* The oldest of those taken may be filled again. */
void ordered_pool_release(struct ordered_pool *pool);

/* Waits for the work that has begun, drops the rest; NULL is allowed. */
void ordered_pool_close(struct ordered_pool *pool);

#endif
