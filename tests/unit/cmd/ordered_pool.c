// SPDX-License-Identifier: Apache-2.0
/* The thread pool: order of results, errors, bounds, a signal, and closing. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "ordered_pool.h"
#include "tap.h"

const struct program program = { .name = "unasked" };

enum { ITEMS = 400, SLOTS = 8, WORKERS = 4, EACH_FAILS = 7 };
enum { HELD = 1 };	/* us of an item that waits while test.held is set */

struct slot {
	unsigned item, us;		/* in */
	unsigned result;		/* out */
	char error[40];
	pthread_t thread;		/* the thread that worked on the slot */
	sigset_t blocked;		/* the signal mask of that thread */
};

struct test {
	struct slot slot[SLOTS];
	struct ordered_pool *pool;
	atomic_int at_work[WORKERS], worked;
	atomic_bool overlapped, strange;	/* worker numbers */
	atomic_bool held;
};

static void
work(void *arg, unsigned worker, size_t i)
{
	struct test *t = arg;
	struct slot *s = &t->slot[i];

	if (worker >= WORKERS)
		t->strange = true;
	else if (atomic_fetch_add(&t->at_work[worker], 1) != 0)
		t->overlapped = true;
	s->thread = pthread_self();
	pthread_sigmask(SIG_SETMASK, NULL, &s->blocked);
	while (s->us == HELD && t->held)
		usleep(1000);
	usleep(s->us);
	s->error[0] = '\0';
	if (s->item % EACH_FAILS == 0)
		snprintf(s->error, sizeof(s->error), "item %u", s->item);
	s->result = s->item * 3;
	t->worked++;
	if (worker < WORKERS)
		t->at_work[worker]--;
}

static struct test *
begin(unsigned threads, size_t slots, bool sigpipe)
{
	struct test *t = cmd_alloc(sizeof(*t));

	t->pool = ordered_pool_open(&(struct ordered_pool_spec){
	    .threads = threads, .slots = slots, .work = work, .arg = t,
	    .sigpipe = sigpipe });
	return t;
}

static void
end(struct test *t)
{
	ordered_pool_close(t->pool);
	free(t);
}

static void
submit(struct test *t, unsigned item, unsigned us)
{
	struct slot *s = &t->slot[ordered_pool_next(t->pool)];

	s->item = item;
	s->us = us;
	ordered_pool_submit(t->pool);
}

/* Takes the oldest slot.  Returns true if it has the result of this item. */
static bool
is_next(struct test *t, unsigned item, size_t *slot)
{
	const struct slot *s;
	char error[40] = "";

	if (!ordered_pool_take(t->pool, slot))
		return false;
	s = &t->slot[*slot];
	if (item % EACH_FAILS == 0)
		snprintf(error, sizeof(error), "item %u", item);
	return s->item == item && s->result == 3 * item &&
	    strcmp(s->error, error) == 0;
}

/* ---- Order ------------------------------------------------------------- */

/* Runs 'items' items.  The caller holds up to in_use slots before it releases
 * the oldest. */
static void
order(unsigned threads, size_t slots, unsigned in_use, unsigned items)
{
	struct test *t = begin(threads, slots, false);
	unsigned taken = 0, released = 0, wrong = 0, over = 0;
	size_t i;

	for (unsigned n = 0; n < items || taken < items;) {
		if (n < items && !ordered_pool_full(t->pool)) {
			submit(t, n++, (unsigned)random() % 400);
			over += n - released > slots;
			continue;
		}
		wrong += !is_next(t, taken++, &i);
		if (taken - released == in_use) {
			ordered_pool_release(t->pool);
			released++;
		}
	}
	ok(wrong == 0, "%u threads, %zu slots, %u in use, %u items: results "
	    "and errors come in order (%u wrong)", threads, slots, in_use,
	    items, wrong);
	ok(over == 0 && !ordered_pool_waiting(t->pool) &&
	    !ordered_pool_ready(t->pool), "no more items than slots are in the "
	    "pool, and none stays at the end");
	ok(t->worked == (int)items && !t->overlapped && !t->strange,
	    "each item runs once, and each worker has one item at a time");
	end(t);
}

static void
first_last(void)
{
	struct test *t = begin(WORKERS, WORKERS, false);
	size_t i;

	t->held = true;
	for (unsigned n = 0; n < WORKERS; n++)
		submit(t, n, n == 0 ? HELD : 0);
	ok(ordered_pool_full(t->pool),
	    "with an item in each slot, the pool is full");
	while (t->worked < WORKERS - 1)
		usleep(1000);
	ok(!ordered_pool_ready(t->pool),
	    "while only the oldest item still runs, no result is ready");
	t->held = false;
	for (unsigned n = 0; n < WORKERS; n++) {
		ok(is_next(t, n, &i) && i == n,
		    "result %u is taken in its turn", n);
		ok(ordered_pool_full(t->pool), "a taken slot stays in use");
	}
	ordered_pool_release(t->pool);
	ok(!ordered_pool_full(t->pool) && ordered_pool_next(t->pool) == 0,
	    "a released slot is the next to be filled");
	end(t);
}

/* ---- Threads ----------------------------------------------------------- */

static void
callers_own(void)
{
	struct test *t = begin(0, 1, false);
	size_t i;

	submit(t, 5, 0);
	ok(t->worked == 1 && pthread_equal(t->slot[0].thread, pthread_self()),
	    "without threads, ordered_pool_submit() itself does the work");
	ok(ordered_pool_ready(t->pool) && is_next(t, 5, &i),
	    "without threads, the result can be taken");
	end(t);
}

static void
masks(void)
{
	size_t i;

	for (int sigpipe = 0; sigpipe < 2; sigpipe++) {
		struct test *t = begin(1, 1, sigpipe);

		submit(t, 1, 0);
		ok(is_next(t, 1, &i),
		    "a pool with one worker returns the result");
		ok(!pthread_equal(t->slot[0].thread, pthread_self()),
		    "the worker is a thread of its own");
		ok(sigismember(&t->slot[0].blocked, SIGTERM) == 1 &&
		    sigismember(&t->slot[0].blocked, SIGPIPE) == !sigpipe,
		    "the worker blocks signals%s",
		    sigpipe ? ", except SIGPIPE" : "");
		end(t);
	}
}

/* ---- Signals, and closing ---------------------------------------------- */

static void
stopped(void)
{
	struct test *t = begin(1, 2, false);
	size_t i = 77;

	t->held = true;
	submit(t, 1, HELD);
	ok(!ordered_pool_wait(t->pool),
	    "ordered_pool_wait() returns false for an item that takes longer");
	cmd_stop = SIGTERM;
	ok(!ordered_pool_take(t->pool, &i) && i == 77,
	    "a signal ends ordered_pool_take(), and no slot is taken");
	ok(ordered_pool_waiting(t->pool),
	    "after the signal, the item is still waiting");
	t->held = false;
	while (!ordered_pool_wait(t->pool))
		;
	ok(is_next(t, 1, &i), "a finished item is taken even after a signal");
	cmd_stop = 0;
	end(t);
}

static void
dropped(void)
{
	struct test *t = begin(2, SLOTS, false);
	int begun;

	t->held = true;
	for (unsigned n = 0; n < SLOTS; n++)
		submit(t, n, HELD);
	while (t->at_work[0] + t->at_work[1] < 2)
		usleep(1000);
	alarm(300);		/* ends the test if closing hangs */
	t->held = false;
	ordered_pool_close(t->pool);
	alarm(0);
	begun = t->worked;
	ok(begun >= 2 && t->at_work[0] == 0 && t->at_work[1] == 0,
	    "ordered_pool_close() waits for items that have begun (%d of %d)",
	    begun, SLOTS);
	usleep(20000);
	ok(t->worked == begun, "no item runs after ordered_pool_close()");
	free(t);
	ordered_pool_close(NULL);
}

int
main(void)
{
	srandom(1);
	order(WORKERS, SLOTS, 1, ITEMS);
	order(WORKERS, SLOTS, 3, ITEMS);
	order(3, 3, 1, ITEMS);
	order(1, 2, 1, ITEMS / 4);
	order(0, 1, 1, ITEMS / 4);
	order(0, SLOTS, 1, ITEMS / 4);
	order(WORKERS, SLOTS, 1, SLOTS - 3);
	order(WORKERS, SLOTS, 1, 0);
	first_last();
	callers_own();
	masks();
	stopped();
	dropped();
	return done();
}
