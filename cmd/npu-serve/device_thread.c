// SPDX-License-Identifier: Apache-2.0
/*
 * The thread that loads the models and runs inferences.  A model whose
 * inference did not end in time, or whose device is gone, is unloaded and
 * loaded again after 1, 2, 4 ... 30 s.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "device.h"
#include "scheduler_impl.h"

enum {
	SLICE_MS = 1,		/* between looks at what has become ready */
};

/* ---- Calls of the vendor's library -------------------------------------- */

/* Others may have the lock meanwhile. */
static void
begin_call(struct scheduler *s)
{
	s->call_since = clock_ns();
	pthread_mutex_unlock(&s->lock);
}

static void
end_call(struct scheduler *s)
{
	pthread_mutex_lock(&s->lock);
	s->call_since = 0;
}

/* ---- Loading ----------------------------------------------------------- */

static int
load_all(struct scheduler *s, struct npu_err *err)
{
	int rc = 0;

	for (int k = 0; k < ROLES && rc == 0; k++)
		if (s->lane[k].role != NULL)
			rc = role_open(s->lane[k].role, s->options.in_flight,
			    err);
	cmd_show_library_output(rc == 0);
	return rc;
}

static void
unload_all(struct scheduler *s)
{
	for (int k = 0; k < ROLES; k++)
		if (s->lane[k].role != NULL)
			role_close(s->lane[k].role);
	cmd_show_library_output(true);
}

static void
unload_on_exit(void *arg)
{
	unload_all(arg);
}

/* ---- A model that fails ------------------------------------------------ */

static void
item_failed(struct scheduler *s, struct lane *l, struct item *i,
    const struct npu_err *err)
{
	l->failed++;
	request_fail(s, i->request, 503, err);
	item_ended(s, i);
}

/* Fails all that is in flight or waits for the model; under the lock. */
static void
fail_lane(struct scheduler *s, struct lane *l, const struct npu_err *err)
{
	for (unsigned i = 0; i < l->n_flight; i++)
		item_failed(s, l, l->flight[i], err);
	s->in_flight -= l->n_flight;
	l->n_flight = 0;
	while (l->ready.n > 0)
		request_fail(s, l->ready.first->request, 503, err);
	while (l->waiting.n > 0)
		request_fail(s, l->waiting.first->request, 503, err);
}

static void
lose(struct scheduler *s, struct lane *l, const struct npu_err *err)
{
	cmd_warn("%s: %s; it is loaded again", l->role->name, err->msg);
	fail_lane(s, l, err);
	reopening_failed(&l->reopening, l->role->name, err);
	begin_call(s);
	role_close(l->role);
	end_call(s);
}

/* The server ends, and waits for no inference. */
static void
abandon_all(struct scheduler *s)
{
	struct npu_err err;

	npu_fail(&err, NPU_ESTOPPED, "the server is ending");
	for (int k = 0; k < ROLES; k++) {
		struct lane *l = &s->lane[k];

		if (l->role == NULL || l->n_flight == 0)
			continue;
		fail_lane(s, l, &err);
		reopening_failed(&l->reopening, l->role->name, &err);
		pthread_mutex_unlock(&s->lock);
		role_close(l->role);
		pthread_mutex_lock(&s->lock);
	}
}

static void
retry(struct scheduler *s, struct lane *l)
{
	struct npu_err err;
	int rc;

	begin_call(s);
	rc = role_open(l->role, s->options.in_flight, &err);
	cmd_show_library_output(rc == 0);
	end_call(s);
	if (rc < 0) {
		reopening_failed(&l->reopening, l->role->name, &err);
		return;
	}
	cmd_note("%s: it is loaded again", l->role->name);
	l->reopening.down = false;
	s->resets++;
}

/* The time of the next attempt; 0: none is due. */
static uint64_t
retry_due(struct scheduler *s)
{
	uint64_t next = 0;

	for (int k = 0; k < ROLES; k++) {
		struct lane *l = &s->lane[k];

		if (reopening_is_due(&l->reopening))
			retry(s, l);
		if (l->reopening.down && (next == 0 ||
		    l->reopening.at < next))
			next = l->reopening.at;
	}
	return next;
}

/* ---- Running ----------------------------------------------------------- */

/* The next lane, in turn, that has an input. */
static struct lane *
next_to_run(struct scheduler *s)
{
	for (unsigned k = 0; k < ROLES; k++) {
		struct lane *l = &s->lane[(s->run_turn + k) % ROLES];

		if (!l->reopening.down && l->ready.n > 0 &&
		    l->n_flight < NPU_QUEUE_MAX &&
		    !npu_queue_full(l->role->queue))
			return l;
	}
	return NULL;
}

static void
note_begun(struct scheduler *s, struct request *r)
{
	r->moved = clock_ns();
	if (r->first_begun == 0)
		r->first_begun = r->moved;
	if (s->in_flight++ == 0)
		s->busy_since = r->moved;
}

static int
put(struct lane *l, struct item *i, struct npu_err *err)
{
	int rc;

	if ((i->out = malloc(l->role->out_size)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	rc = npu_queue_put(l->role->queue, i->in, err);
	free(i->in);
	i->in = NULL;
	return rc;
}

static bool
begin_one(struct scheduler *s)
{
	struct lane *l = next_to_run(s);
	struct npu_err err;
	struct item *i;
	int rc;

	if (s->in_flight >= s->options.in_flight || l == NULL)
		return false;
	s->run_turn = (unsigned)(l - s->lane) + 1;
	i = item_list_take(&l->ready);
	leave_place(s);
	pthread_cond_signal(&s->work);	/* another input can be made */
	i->request->unbegun--;
	begin_call(s);
	rc = put(l, i, &err);
	end_call(s);
	if (rc < 0) {
		item_failed(s, l, i, &err);
		return true;
	}
	note_begun(s, i->request);
	if (l->n_flight == 0)
		l->oldest_since = i->request->moved;
	l->flight[l->n_flight++] = i;
	return true;
}

static uint64_t
spent(const struct npu_times *t)
{
	return t->create + t->load + t->infer + t->get + t->clean;
}

static void
end_item(struct scheduler *s, struct lane *l, int rc,
    const struct npu_err *err)
{
	struct item *i = l->flight[0];

	memmove(l->flight, l->flight + 1, --l->n_flight * sizeof(*l->flight));
	l->oldest_since = clock_ns();
	if (--s->in_flight == 0)
		s->busy_ns += clock_ns() - s->busy_since;
	if (rc < 0) {
		item_failed(s, l, i, err);
		if (rc == NPU_ETIMEOUT || rc == NPU_ENODEV)
			lose(s, l, err);
		return;
	}
	l->reopening.pause_s = 0;
	l->items++;
	i->request->infer_ns += i->infer_ns;
	item_ended(s, i);
}

/* Takes the oldest result of a lane that has one. */
static bool
end_one(struct scheduler *s, struct lane *l)
{
	struct item *i = l->flight[0];
	struct npu_err err;
	int rc;

	if (l->n_flight == 0 || (!npu_queue_ready(l->role->queue) &&
	    !inference_is_overdue(l->oldest_since)))
		return false;
	begin_call(s);
	rc = npu_queue_get(l->role->queue, i->out, &err);
	i->infer_ns = spent(npu_last_times(l->role->npu));
	cmd_show_library_output(rc == 0);
	end_call(s);
	end_item(s, l, rc, &err);
	return true;
}

static bool
end_some(struct scheduler *s)
{
	bool ended = false;

	for (int k = 0; k < ROLES; k++)
		ended |= end_one(s, &s->lane[k]);
	return ended;
}

/* Waits for an inference to end, but no longer than until another may begin:
 * the end of any of this thread's ends the wait. */
static void
await_end(struct scheduler *s)
{
	struct lane *l = s->lane;
	int32_t ms = s->in_flight < s->options.in_flight ? SLICE_MS :
	    10 * SLICE_MS;

	while (l->n_flight == 0)
		l++;
	begin_call(s);
	npu_queue_wait(l->role->queue, ms);
	end_call(s);
}

/* Waits for an input, or for the time of the next attempt. */
static void
await_ready(struct scheduler *s, uint64_t due)
{
	struct timespec t = { .tv_sec = (time_t)(due / 1000000000),
	    .tv_nsec = (long)(due % 1000000000) };

	if (due == 0)
		pthread_cond_wait(&s->ready, &s->lock);
	else
		pthread_cond_clockwait(&s->ready, &s->lock, CLOCK_MONOTONIC,
		    &t);
}

static void
run(struct scheduler *s)
{
	uint64_t due;

	while (!s->stop) {
		if (s->abandon)
			abandon_all(s);
		due = s->abandon ? 0 : retry_due(s);
		/* Both have left the lock. */
		if (s->stop)
			break;
		if (end_some(s) || begin_one(s))
			continue;
		if (s->in_flight > 0)
			await_end(s);
		else if (next_to_run(s) == NULL)
			await_ready(s, due);
	}
}

void *
device_thread(void *arg)
{
	struct scheduler *s = arg;
	struct npu_err err;
	int rc;

	/* Options that name classes are read when the model is there. */
	cmd_on_exit(unload_on_exit, s);
	rc = load_all(s, &err);
	cmd_on_exit(NULL, NULL);
	pthread_mutex_lock(&s->lock);
	s->opened = rc == 0;
	if (rc < 0)
		s->err = err;
	pthread_cond_broadcast(&s->work);
	if (s->opened)
		run(s);
	pthread_mutex_unlock(&s->lock);
	unload_all(s);
	return NULL;
}
