/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread pool that returns results in the order of submission.  Work is done
 * in slots, an array that the caller owns and whose indices the pool assigns.
 * The caller fills a slot, a thread works on it, and the caller takes the slot,
 * uses the result, which may be an error, and releases the slot for reuse.
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
 * The same thread fills and takes.  Several slots may be taken before they are
 * released in the same order.
 */
#ifndef CMD_ORDERED_POOL_H
#define CMD_ORDERED_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct ordered_pool_spec {
	unsigned threads;	/* 0: ordered_pool_submit() does the work
				   itself */
	bool all_threads;	/* die if any thread cannot be started;
				   otherwise only if all fail */
	bool sigpipe;		/* the threads write to pipes (thread.h) */
	size_t slots;		/* most slots submitted and not released */
	/* Works on a slot.  worker is below threads, or 0; a worker never runs
	 * twice at the same time.  Must not print or exit. */
	void (*work)(void *arg, unsigned worker, size_t slot);
	void *arg;
};

struct ordered_pool;

/* Starts the threads; dies if it cannot. */
struct ordered_pool *ordered_pool_open(const struct ordered_pool_spec *spec);

/* True if all slots are in use: release one before filling another. */
bool ordered_pool_full(const struct ordered_pool *pool);
/* Returns the slot to be filled next.  The pool must not be full. */
size_t ordered_pool_next(const struct ordered_pool *pool);
/* Submits the slot of ordered_pool_next() to the threads. */
void ordered_pool_submit(struct ordered_pool *pool);

/* True if slots were submitted and not taken. */
bool ordered_pool_waiting(const struct ordered_pool *pool);
/* True if the oldest waiting slot is done. */
bool ordered_pool_ready(struct ordered_pool *pool);
/* Waits until the oldest slot is done, at most a tenth of a second.  A slot
 * must be waiting. */
bool ordered_pool_wait(struct ordered_pool *pool);
/* Takes the oldest slot, as soon as it is done.  Returns false, without taking
 * a slot, if cmd_stop was set before. */
bool ordered_pool_take(struct ordered_pool *pool, size_t *slot);
/* Releases the oldest taken slot, which may then be filled again. */
void ordered_pool_release(struct ordered_pool *pool);

/* Waits for work that has begun, drops the rest and frees the pool.  NULL is
 * allowed. */
void ordered_pool_close(struct ordered_pool *pool);

#endif
