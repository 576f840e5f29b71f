// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "ordered_pool.h"

enum {
	RECORDS = 256,		/* most in a batch */
	BYTES = 1 << 16,	/* of a batch that is full */
	FLIGHT = 64 << 20,	/* of all batches, unless there is but one */
	KEPT = 1 << 20,		/* bytes that an idle buffer may keep */
};

struct batch {
	struct buf in, out, notes;
	struct pool_record record[RECORDS];	/* p: set when in is whole */
	size_t records;
	size_t good;		/* of them, up to the one that failed */
	struct npu_err err;	/* of that one */
	bool done;
};

/*
 * Batches are numbered from 0 as they are filled; that of number k is
 * batch[k % batches].  written <= taken <= filled < written + batches, but
 * nobody takes where there are no threads, and filled is one more for a moment.
 */
struct inorder {
	struct output *out;
	struct inorder_job job;
	pthread_mutex_t lock;		/* of taken, filled, stop and done */
	pthread_cond_t work, done;
	pthread_t thread[INORDER_THREADS];
	unsigned started;
	size_t written, taken, filled;
	bool stop;
	size_t flight;			/* bytes of records not written yet */
	size_t batches;
	struct batch *batch;
};

unsigned
inorder_threads(const char *arg)
{
	unsigned n = (unsigned)cmd_int("--jobs", arg, 0, INORDER_THREADS);
	cpu_set_t set;

	if (n > 0)
		return n;
	/* More processors than a set can name are too many in any case. */
	n = sched_getaffinity(0, sizeof(set), &set) == 0 ?
	    (unsigned)CPU_COUNT(&set) : INORDER_THREADS;
	return n < INORDER_THREADS ? n : INORDER_THREADS;
}

/* ---- A batch ----------------------------------------------------------- */

/* What a record takes of in: at least a byte more, so that none is at NULL. */
static size_t
padded(size_t n)
{
	return (n + 8) & ~(size_t)7;
}

static void
do_batch(const struct inorder *o, unsigned worker, struct batch *b)
{
	size_t i, at = 0, out, notes;

	for (i = 0; i < b->records; i++) {
		b->record[i].p = b->in.p + at;
		at += padded(b->record[i].n);
	}
	for (i = 0; i < b->records; i++) {
		out = b->out.n;
		notes = b->notes.n;
		if (o->job.work(o->job.worker[worker], &b->record[i], &b->out,
		    &b->notes, &b->err))
			continue;
		b->out.n = out;
		b->notes.n = notes;
		break;
	}
	b->good = i;
}

static void
clear(struct buf *b)
{
	if (b->cap > KEPT)
		buf_free(b);
	else
		buf_clear(b);
}

static void
say_notes(const struct buf *notes, bool loud)
{
	const char *p = notes->p;

	for (size_t at = 0; at < notes->n; at += strlen(p + at) + 1) {
		if (loud)
			cmd_warn("%s", p + at);
		else
			cmd_note("%s", p + at);
	}
}

static void
write_batch(struct inorder *o, struct batch *b)
{
	const struct pool_record *r = &b->record[b->good];

	if (b->out.failed || b->notes.failed)
		cmd_die("out of memory");
	cmd_write(o->out, b->out.p, b->out.n);
	cmd_mark_record(o->out);
	say_notes(&b->notes, o->job.loud);
	if (b->good < b->records && r->name == NULL)
		cmd_die("%s", b->err.msg);
	if (b->good < b->records)
		cmd_die("%s: %s %llu: %s", r->name, r->unit,
		    (unsigned long long)r->number, b->err.msg);
	o->flight -= b->in.n;
	clear(&b->in);
	clear(&b->out);
	clear(&b->notes);
	b->records = 0;
	b->done = false;
}

/* ---- Threads ----------------------------------------------------------- */

struct start {
	struct inorder *o;
	unsigned worker;
};

static void *
serve(void *arg)
{
	struct start s = *(struct start *)arg;
	struct inorder *o = s.o;
	struct batch *b;

	free(arg);
	pthread_mutex_lock(&o->lock);
	for (;;) {
		while (o->taken == o->filled && !o->stop)
			pthread_cond_wait(&o->work, &o->lock);
		if (o->stop)
			break;
		b = &o->batch[o->taken++ % o->batches];
		pthread_mutex_unlock(&o->lock);
		do_batch(o, s.worker, b);
		pthread_mutex_lock(&o->lock);
		b->done = true;
		pthread_cond_signal(&o->done);
	}
	pthread_mutex_unlock(&o->lock);
	return NULL;
}

static void
start_thread(struct inorder *o)
{
	struct start *s = cmd_alloc(sizeof(*s));

	*s = (struct start){ o, o->started };
	if (pthread_create(&o->thread[o->started], NULL, serve, s) != 0) {
		free(s);
		cmd_die("thread %u of %u could not be started; give a "
		    "smaller -j", o->started + 1, o->job.threads);
	}
	o->started++;
}

/* The batch that is being filled goes to the threads, or is done here. */
static void
submit(struct inorder *o)
{
	struct batch *b = &o->batch[o->filled % o->batches];

	if (o->job.threads == 1) {
		do_batch(o, 0, b);
		b->done = true;
	}
	pthread_mutex_lock(&o->lock);
	o->filled++;
	/* glibc before 2.41 may lose a signal to several (its bug 25847). */
	pthread_cond_broadcast(&o->work);
	pthread_mutex_unlock(&o->lock);
}

/* Writes the oldest batch, if it is done or wait is true. */
static bool
write_oldest(struct inorder *o, bool wait)
{
	struct batch *b = &o->batch[o->written % o->batches];
	bool done;

	pthread_mutex_lock(&o->lock);
	while (wait && !b->done)
		pthread_cond_wait(&o->done, &o->lock);
	done = b->done;
	pthread_mutex_unlock(&o->lock);
	if (!done)
		return false;
	write_batch(o, b);
	o->written++;
	return true;
}

/* ---- All of them ------------------------------------------------------- */

struct inorder *
inorder_open(struct output *out, const struct inorder_job *job)
{
	struct inorder *o = cmd_alloc(sizeof(*o));

	o->out = out;
	o->job = *job;
	pthread_mutex_init(&o->lock, NULL);
	pthread_cond_init(&o->work, NULL);
	pthread_cond_init(&o->done, NULL);
	o->batches = job->threads == 1 ? 1 : 2 * (size_t)job->threads;
	o->batch = cmd_alloc(o->batches * sizeof(*o->batch));
	while (job->threads > 1 && o->started < job->threads)
		start_thread(o);
	return o;
}

static void
submit_and_write(struct inorder *o)
{
	submit(o);
	while (o->written < o->filled && write_oldest(o,
	    o->filled - o->written == o->batches || o->flight > FLIGHT))
		;
}

void
inorder_add(struct inorder *o, const struct pool_record *r)
{
	struct batch *b = &o->batch[o->filled % o->batches];
	size_t n = padded(r->n);
	char *p = buf_reserve(&b->in, n);

	if (p == NULL)
		cmd_die("out of memory");
	if (r->n > 0)
		memcpy(p, r->p, r->n);
	b->in.n += n;
	o->flight += n;
	b->record[b->records++] = *r;
	if (b->records == o->job.records || b->in.n >= BYTES)
		submit_and_write(o);
}

void
inorder_flush(void *arg)
{
	struct inorder *o = arg;

	if (o->batch[o->filled % o->batches].records > 0)
		submit(o);
	while (o->written < o->filled)
		write_oldest(o, true);
	cmd_end_record(o->out);
}

void
inorder_close(struct inorder *o)
{
	if (o == NULL)
		return;
	pthread_mutex_lock(&o->lock);
	o->stop = true;
	pthread_cond_broadcast(&o->work);
	pthread_mutex_unlock(&o->lock);
	for (unsigned i = 0; i < o->started; i++)
		pthread_join(o->thread[i], NULL);
	for (size_t i = 0; i < o->batches; i++) {
		buf_free(&o->batch[i].in);
		buf_free(&o->batch[i].out);
		buf_free(&o->batch[i].notes);
	}
	pthread_mutex_destroy(&o->lock);
	pthread_cond_destroy(&o->work);
	pthread_cond_destroy(&o->done);
	free(o->batch);
	free(o);
}
