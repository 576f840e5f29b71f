// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "ordered_pool.h"
#include "thread.h"

struct pool_worker {
	struct ordered_pool *pool;
	unsigned number;
	pthread_t thread;
};

/*
 * Work is numbered from 0 in the order of submission; item k is in slot k %
 * slots.  released <= taken <= begun <= submitted <= released + slots.  Without
 * threads, begun stays 0.
 */
struct ordered_pool {
	struct ordered_pool_spec spec;
	size_t released, taken;		/* used only by the caller's thread */
	pthread_mutex_t lock;		/* protects all below */
	pthread_cond_t work, done;
	size_t begun, submitted;	/* submitted: written by the caller */
	bool *is_done;			/* one flag for each slot */
	bool stop;
	unsigned started;
	struct pool_worker *worker;
};

/* ---- Workers ----------------------------------------------------------- */

static void *
run_worker(void *arg)
{
	struct pool_worker *w = arg;
	struct ordered_pool *p = w->pool;
	size_t slot;

	if (p->spec.sigpipe)
		unblock_sigpipe();
	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (p->begun == p->submitted && !p->stop)
			pthread_cond_wait(&p->work, &p->lock);
		if (p->stop)
			break;
		slot = p->begun++ % p->spec.slots;
		pthread_mutex_unlock(&p->lock);
		p->spec.work(p->spec.arg, w->number, slot);
		pthread_mutex_lock(&p->lock);
		p->is_done[slot] = true;
		pthread_cond_signal(&p->done);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static void
start_workers(struct ordered_pool *p)
{
	struct pool_worker *w;
	int e = 0;

	for (; p->started < p->spec.threads; p->started++) {
		w = &p->worker[p->started];
		w->pool = p;
		w->number = p->started;
		if ((e = thread_start(&w->thread, run_worker, w)) != 0)
			break;
	}
	if (e != 0 && p->spec.all_threads)
		cmd_die("thread %u of %u could not be started; give a "
		    "smaller -j", p->started + 1, p->spec.threads);
	if (e != 0 && p->started == 0)
		cmd_die("no thread can be started: %s", strerror(e));
}

/* ---- Opening and closing ----------------------------------------------- */

struct ordered_pool *
ordered_pool_open(const struct ordered_pool_spec *spec)
{
	struct ordered_pool *p = cmd_alloc(sizeof(*p));

	*p = (struct ordered_pool){ .spec = *spec,
	    .lock = PTHREAD_MUTEX_INITIALIZER,
	    .work = PTHREAD_COND_INITIALIZER,
	    .done = PTHREAD_COND_INITIALIZER };
	p->is_done = cmd_alloc(spec->slots * sizeof(*p->is_done));
	p->worker = cmd_alloc(spec->threads * sizeof(*p->worker));
	start_workers(p);
	return p;
}

void
ordered_pool_close(struct ordered_pool *p)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 0; i < p->started; i++)
		pthread_join(p->worker[i].thread, NULL);
	free(p->is_done);
	free(p->worker);
	free(p);
}

/* ---- Submitting -------------------------------------------------------- */

bool
ordered_pool_full(const struct ordered_pool *p)
{
	return p->submitted - p->released == p->spec.slots;
}

size_t
ordered_pool_next(const struct ordered_pool *p)
{
	return p->submitted % p->spec.slots;
}

void
ordered_pool_submit(struct ordered_pool *p)
{
	size_t slot = ordered_pool_next(p);

	if (p->spec.threads == 0)
		p->spec.work(p->spec.arg, 0, slot);
	pthread_mutex_lock(&p->lock);
	p->is_done[slot] = p->spec.threads == 0;
	p->submitted++;
	/* glibc before 2.41 may lose a signal if several threads wait (its bug
	 * 25847). */
	pthread_cond_broadcast(&p->work);
	pthread_mutex_unlock(&p->lock);
}

/* ---- Taking ------------------------------------------------------------ */

static size_t
oldest(const struct ordered_pool *p)
{
	return p->taken % p->spec.slots;
}

bool
ordered_pool_waiting(const struct ordered_pool *p)
{
	return p->submitted > p->taken;
}

static bool
oldest_done(struct ordered_pool *p, bool wait)
{
	bool done;

	pthread_mutex_lock(&p->lock);
	if (wait && !p->is_done[oldest(p)])
		cond_wait_100ms(&p->done, &p->lock);
	done = p->is_done[oldest(p)];
	pthread_mutex_unlock(&p->lock);
	return done;
}

bool
ordered_pool_ready(struct ordered_pool *p)
{
	return ordered_pool_waiting(p) && oldest_done(p, false);
}

bool
ordered_pool_wait(struct ordered_pool *p)
{
	return oldest_done(p, true);
}

bool
ordered_pool_take(struct ordered_pool *p, size_t *slot)
{
	while (!ordered_pool_wait(p))
		if (cmd_stop != 0)
			return false;
	*slot = oldest(p);
	p->taken++;
	return true;
}

void
ordered_pool_release(struct ordered_pool *p)
{
	p->released++;
}
