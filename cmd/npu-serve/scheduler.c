// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "cmd.h"
#include "scheduler_impl.h"
#include "serving/service.h"
#include "thread.h"

/* ---- Requests that come and go ------------------------------------------ */

/* Under the lock: no further request has a place. */
static bool
is_full(const struct scheduler *s)
{
	return s->places >= s->options.waiting;
}

bool
scheduler_full(struct scheduler *s)
{
	bool full;

	pthread_mutex_lock(&s->lock);
	full = is_full(s);
	pthread_mutex_unlock(&s->lock);
	return full;
}

static void
fail_busy(struct scheduler *s, struct request *r)
{
	r->failed = 429;
	r->retry_after = 1;
	npu_fail(&r->err, NPU_EUSAGE, "%zu inferences wait, and no more may; "
	    "try again", s->options.waiting);
}

static void
fail_ending(struct request *r)
{
	r->failed = 503;
	npu_fail(&r->err, NPU_ESTOPPED, "the server is ending");
}

void
scheduler_add(struct scheduler *s, struct request *r)
{
	pthread_mutex_lock(&s->lock);
	s->requests++;
	r->active = true;
	r->moved = r->complete = clock_ns();
	if (s->ending) {
		fail_ending(r);
	} else if (is_full(s)) {
		fail_busy(s, r);
	} else {
		s->places++;
		r->place = true;
	}
	request_list_add(&s->to_read, r);
	pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&s->lock);
}

void
scheduler_forget(struct scheduler *s, struct request *r)
{
	struct npu_err err;

	npu_fail(&err, NPU_ESTOPPED, "the client is gone");
	pthread_mutex_lock(&s->lock);
	if (r->active && !r->gone) {
		r->gone = true;
		request_fail(s, r, 499, &err);
	}
	pthread_mutex_unlock(&s->lock);
}

void
scheduler_expire(struct scheduler *s)
{
	uint64_t now = clock_ns(), limit;
	struct request *r, *next;
	struct npu_err err;

	if (s->options.wait_ms < 0)
		return;
	limit = (uint64_t)s->options.wait_ms * 1000000;
	npu_fail(&err, NPU_ETIMEOUT, "the NPU was busy with other requests "
	    "for %" PRId32 " ms; try again", s->options.wait_ms);
	pthread_mutex_lock(&s->lock);
	for (r = s->active.first; r != NULL; r = next) {
		next = r->next;
		/* One may have begun since now. */
		if (r->failed == 0 && r->unbegun > 0 &&
		    now > r->moved + limit) {
			r->retry_after = 1;
			request_fail(s, r, 503, &err);
		}
	}
	pthread_mutex_unlock(&s->lock);
}

/* ---- Threads: reading a request ---------------------------------------- */

/* A role whose model is not loaded at the moment. */
static const struct lane *
lane_down(const struct scheduler *s, const struct request *r)
{
	for (size_t i = 0; i < r->items; i++)
		if (s->lane[r->item[i].role->kind].reopening.down)
			return &s->lane[r->item[i].role->kind];
	return NULL;
}

static void
fail_down(struct request *r, const struct lane *l)
{
	r->failed = 503;
	r->retry_after = reopening_seconds(&l->reopening);
	npu_fail(&r->err, NPU_ENODEV, "%s", l->reopening.reason);
}

/* The items become work, in place of the request. */
static void
spread(struct scheduler *s, struct request *r)
{
	/* A request that was refused has items without a role. */
	const struct lane *down = r->failed == 0 ? lane_down(s, r) : NULL;

	if (r->place)
		leave_place(s);
	r->place = false;
	request_list_add(&s->active, r);
	if (down != NULL)
		fail_down(r, down);
	if (r->failed != 0 || r->items == 0) {
		request_to_answer(s, r);
		return;
	}
	r->left = r->unbegun = r->items;
	s->places += r->items;
	for (size_t i = 0; i < r->items; i++)
		item_list_add(&s->lane[r->item[i].role->kind].waiting,
		    &r->item[i]);
	pthread_cond_broadcast(&s->work);
}

static void
read_request(struct scheduler *s)
{
	struct request *r = request_list_take(&s->to_read);
	bool wanted = r->failed == 0;
	struct npu_err err;
	unsigned status;

	pthread_mutex_unlock(&s->lock);
	status = wanted ? s->options.read(r, &err) : 0;
	pthread_mutex_lock(&s->lock);
	if (status != 0)
		request_fail(s, r, status, &err);
	spread(s, r);
}

/* ---- Threads: inputs --------------------------------------------------- */

/* So many inputs are made before the device asks for them. */
static size_t
ahead(const struct scheduler *s)
{
	return s->options.in_flight + s->options.threads;
}

/* The next lane, in turn, that has an input to be made. */
static struct lane *
next_to_prepare(struct scheduler *s)
{
	for (unsigned i = 0; i < ROLES; i++) {
		struct lane *l = &s->lane[(s->prepare_turn + i) % ROLES];

		if (l->waiting.n > 0 && l->ready.n + l->preparing < ahead(s))
			return l;
	}
	return NULL;
}

static void
prepare(struct scheduler *s, struct lane *l)
{
	struct item *i = item_list_take(&l->waiting);
	struct request *r = i->request;
	uint64_t begin = clock_ns();
	struct npu_err err;
	enum fault fault;

	s->prepare_turn = (unsigned)(l - s->lane) + 1;
	l->preparing++;
	pthread_mutex_unlock(&s->lock);
	fault = role_prepare(l->role, i, &err);
	pthread_mutex_lock(&s->lock);
	l->preparing--;
	r->decode_ns += clock_ns() - begin;
	if (fault != FAULT_NONE)
		request_fail(s, r, fault == FAULT_INPUT ? 400 : 503, &err);
	if (r->failed == 0) {
		item_list_add(&l->ready, i);
		pthread_cond_signal(&s->ready);
		return;
	}
	leave_place(s);
	item_ended(s, i);
}

/* ---- Threads: answers -------------------------------------------------- */

static void
answer(struct scheduler *s)
{
	struct request *r = request_list_take(&s->to_answer);

	r->active = false;	/* its state changes no more */
	pthread_mutex_unlock(&s->lock);
	s->options.answer(r);
	pthread_mutex_lock(&s->lock);
	s->requests--;
	if (s->ending)
		pthread_cond_broadcast(&s->work);
}

/* Answers first: they make room. */
static bool
work_once(struct scheduler *s)
{
	struct lane *l;

	if (s->to_answer.first != NULL)
		answer(s);
	else if (s->to_read.first != NULL)
		read_request(s);
	else if ((l = next_to_prepare(s)) != NULL)
		prepare(s, l);
	else
		return false;
	return true;
}

static void *
run_thread(void *arg)
{
	struct scheduler *s = arg;

	pthread_mutex_lock(&s->lock);
	while (!s->stop)
		if (!work_once(s))
			pthread_cond_wait(&s->work, &s->lock);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* ---- Opening and closing ----------------------------------------------- */

static void
start(pthread_t *thread, void *(*run)(void *), struct scheduler *s)
{
	int e = thread_start(thread, run, s);

	if (e != 0)
		cmd_die("no thread can be started: %s", strerror(e));
}

/* Waits until the device's thread has loaded the models. */
static void
await_models(struct scheduler *s)
{
	int sig;

	pthread_mutex_lock(&s->lock);
	while (!s->opened && s->err.code == 0) {
		cond_wait_100ms(&s->work, &s->lock);
		if ((sig = service_pending_signal()) != 0)
			end_of_signal(sig);
	}
	pthread_mutex_unlock(&s->lock);
	if (!s->opened)
		cmd_die_err(NULL, &s->err);
}

struct scheduler *
scheduler_open(const struct scheduler_options *options, struct catalogue *c)
{
	struct scheduler *s = cmd_alloc(sizeof(*s));

	*s = (struct scheduler){ .options = *options,
	    .lock = PTHREAD_MUTEX_INITIALIZER,
	    .work = PTHREAD_COND_INITIALIZER,
	    .ready = PTHREAD_COND_INITIALIZER };
	for (int k = 0; k < ROLES; k++)
		s->lane[k].role = c->role[k].path != NULL ? &c->role[k] : NULL;
	s->thread = cmd_alloc(options->threads * sizeof(*s->thread));
	start(&s->device, device_thread, s);
	await_models(s);
	for (; s->started < options->threads; s->started++)
		start(&s->thread[s->started], run_thread, s);
	return s;
}

void
scheduler_drain(struct scheduler *s)
{
	struct npu_err err;

	npu_fail(&err, NPU_ESTOPPED, "the server is ending");
	pthread_mutex_lock(&s->lock);
	s->ending = true;
	/* A second call does not let the lanes be loaded again. */
	s->abandon = s->abandon || s->requests > 0;
	pthread_cond_broadcast(&s->ready);
	while (s->requests > 0) {
		for (struct request *r = s->active.first, *next; r != NULL;
		    r = next) {
			next = r->next;
			request_fail(s, r, 503, &err);
		}
		cond_wait_100ms(&s->work, &s->lock);
	}
	pthread_mutex_unlock(&s->lock);
}

void
scheduler_close(struct scheduler *s)
{
	pthread_mutex_lock(&s->lock);
	s->stop = true;
	pthread_cond_broadcast(&s->work);
	pthread_cond_broadcast(&s->ready);
	pthread_mutex_unlock(&s->lock);
	for (unsigned i = 0; i < s->started; i++)
		pthread_join(s->thread[i], NULL);
	pthread_join(s->device, NULL);
	free(s->thread);
	free(s);
}

void
scheduler_state(struct scheduler *s, struct scheduler_state *state)
{
	pthread_mutex_lock(&s->lock);
	*state = (struct scheduler_state){ .waiting = s->places,
	    .in_flight = s->in_flight, .requests = s->requests,
	    .resets = s->resets, .busy_ns = s->busy_ns };
	if (s->in_flight > 0)
		state->busy_ns += clock_ns() - s->busy_since;
	for (int k = 0; k < ROLES; k++) {
		state->items[k] = s->lane[k].items;
		state->failed[k] = s->lane[k].failed;
		state->down[k] = s->lane[k].reopening.down;
		memcpy(state->reason[k], s->lane[k].reopening.reason,
		    sizeof(state->reason[k]));
	}
	pthread_mutex_unlock(&s->lock);
}

bool
scheduler_is_stuck(struct scheduler *s)
{
	uint64_t since;

	pthread_mutex_lock(&s->lock);
	since = s->call_since;
	pthread_mutex_unlock(&s->lock);
	return service_is_stuck(since);
}
