// SPDX-License-Identifier: Apache-2.0
/*
 * Several jobs in flight from one thread.  The driver runs them in the order of
 * submission without the thread's help: while a job runs, the thread makes and
 * loads the next one.
 *
 * A slot keeps the error of its frame from npu_queue_put() on, until
 * npu_queue_get() returns it: each put has one get, in order.
 *
 * If the device has no memory for a job while other jobs hold some, the frame
 * waits until a result is got, and so do all later frames.  The oldest frame
 * never waits: no earlier frame holds memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "device/frame.h"
#include "device/queue_room.h"

enum { DEFAULT_DEPTH = 3, WAITING = JOB_RUNNING + 1 };

struct queue_slot {
	struct frame f;
	int rc;			/* a JOB_ state, WAITING, or an error */
	unsigned ahead;		/* frames put later that run before it */
	struct npu_err err;
	uint8_t *copy;		/* copy of its input, if it waits or runs as a
				   reused job; else NULL */
};

struct npu_queue {
	struct npu *npu;
	unsigned depth, first, n;	/* slots first, first + 1, ... */
	unsigned n_waiting;
	struct queue_room room;
	struct queue_slot *slots;
	uint64_t *idle;		/* jobs kept for reuse, at most depth */
	unsigned n_idle;
	bool trying;		/* the first reuse is in flight */
	uint64_t free_since;	/* when the last job was seen to end, or timed
				   out */
	bool lost;
	struct npu_err why;
};

static struct queue_slot *
slot(const struct npu_queue *q, unsigned i)
{
	return &q->slots[(q->first + i) % q->depth];
}

static struct queue_slot *
oldest(const struct npu_queue *q)
{
	return slot(q, 0);
}

/* ---- Opening and closing ----------------------------------------------- */

static int
make_slots(struct npu_queue *q)
{
	q->slots = calloc(q->depth, sizeof(*q->slots));
	q->idle = calloc(q->depth, sizeof(*q->idle));
	if (q->slots == NULL || q->idle == NULL)
		return -1;
	for (unsigned i = 0; q->npu->reuse && i < q->depth; i++) {
		q->slots[i].copy = malloc(q->npu->in_size + 1);
		if (q->slots[i].copy == NULL)
			return -1;
	}
	return 0;
}

static void
free_queue(struct npu_queue *q)
{
	for (unsigned i = 0; q->slots != NULL && i < q->depth; i++)
		free(q->slots[i].copy);
	free(q->slots);
	free(q->idle);
	free(q);
}

int
npu_queue_open(struct npu_queue **queue, struct npu *npu, unsigned depth,
    struct npu_err *err)
{
	struct npu_queue *q;
	int rc;

	if ((rc = npu_need(queue, "npu_queue_open(): queue", err)) < 0 ||
	    (rc = npu_need(npu, "npu_queue_open(): npu", err)) < 0 ||
	    (rc = npu_check_thread(npu, err)) < 0)
		return rc;
	if (npu->queue != NULL)
		return npu_fail(err, NPU_EUSAGE, "a queue is open on this "
		    "model already");
	if (depth > NPU_QUEUE_MAX)
		return npu_fail(err, NPU_EUSAGE, "%u jobs in flight, and %d is "
		    "the limit", depth, NPU_QUEUE_MAX);
	if ((q = calloc(1, sizeof(*q))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	q->npu = npu;
	q->depth = depth > 0 ? depth : DEFAULT_DEPTH;
	room_open(&q->room, q->depth);
	if (make_slots(q) < 0) {
		free_queue(q);
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	}
	frame_drop_kept(npu);
	npu->queue = q;
	*queue = q;
	return 0;
}

static void
clean_idle(struct npu_queue *q)
{
	while (q->n_idle > 0)
		job_clean(&q->npu->s, q->idle[--q->n_idle]);
}

static int32_t
ms_until(uint64_t deadline)
{
	uint64_t now = clock_ns();

	return now < deadline ? (int32_t)((deadline - now) / 1000000) : 0;
}

/* Gives all jobs together, in flight or timed out, one grace period; jobs that
 * still run after it are left. */
void
npu_queue_close(struct npu_queue *q)
{
	uint64_t deadline = job_deadline(clock_ns(), GRACE_MS);
	struct npu *n;

	if (q == NULL)
		return;
	n = q->npu;
	for (; q->n > 0; q->n--) {
		frame_end(n, &oldest(q)->f, ms_until(deadline));
		q->first = (q->first + 1) % q->depth;
	}
	for (timed_out_reap(n); n->n_timed_out > 0 && job_drain(&n->s,
	    n->timed_out[0], ms_until(deadline)); timed_out_reap(n))
		;
	timed_out_reap(n);
	clean_idle(q);
	free_queue(q);
	n->queue = NULL;
	if (n->closed)
		npu_close(n);
}

/* ---- Putting ----------------------------------------------------------- */

/*
 * Takes a job that ran before, if jobs are reused.  Until the driver has proved
 * that it can run a job twice, only one reused job is in flight: a hang costs
 * one wait.  keep_for_reuse() keeps no other job until that one has ended.
 */
static void
reuse_idle(struct npu_queue *q, struct frame *f)
{
	if (!q->npu->reuse || q->n_idle == 0)
		return;
	f->job = q->idle[--q->n_idle];
	f->used = true;
	q->trying = !q->npu->proven;
}

/* Keeps the job of a frame that is done.  Jobs in flight and kept jobs together
 * never exceed depth. */
static bool
keep_for_reuse(struct npu_queue *q, struct queue_slot *s)
{
	struct npu *n = q->npu;

	if (s->f.used) {
		q->trying = false;
		n->proven = n->proven || s->rc == JOB_DONE;
	}
	if (s->rc != JOB_DONE || !n->reuse ||
	    (!n->proven && (q->trying || q->n_idle > 0)))
		return false;
	q->idle[q->n_idle++] = s->f.job;
	return true;
}

/* Returns how many jobs hold memory of the device. */
static unsigned
jobs_held(const struct npu_queue *q)
{
	unsigned held = 0;

	for (unsigned i = 0; i < q->n; i++)
		held += slot(q, i)->f.job != 0;
	return held;
}

static int
keep_input(struct npu_queue *q, struct queue_slot *s, const void *in)
{
	if (s->copy == NULL)
		s->copy = malloc(q->npu->in_size + 1);
	if (s->copy == NULL)
		return npu_fail(&s->err, NPU_ESYSTEM, "out of memory");
	if (in != NULL && in != s->copy)
		memcpy(s->copy, in, q->npu->in_size);
	return 0;
}

static void
note_room(const struct npu_queue *q)
{
	const struct npu_options *opt = &q->npu->opt;
	char text[128];

	snprintf(text, sizeof(text), "the device has memory for %u inference%s "
	    "at a time, not %u", q->room.n, q->room.n == 1 ? "" : "s",
	    q->depth);
	if (opt->note != NULL)
		opt->note(opt->note_arg, text);
}

/* Returns WAITING, or an error. */
static int
wait_for_memory(struct npu_queue *q, struct queue_slot *s, const void *in)
{
	int rc = keep_input(q, s, in);

	return rc < 0 ? rc : WAITING;
}

/* Returns true if no job was made for lack of memory.  A device that is gone
 * may give the same status. */
static bool
lacks_memory(const struct queue_slot *s, int rc)
{
	return rc == NPU_EDEVICE && s->f.job == 0 &&
	    s->err.detail == NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
}

/* Returns true if a job that timed out has ended or ends in its grace time. */
static bool
one_timed_out_ends(struct npu_queue *q, bool wait)
{
	struct npu *n = q->npu;

	if (timed_out_reap(n) > 0)
		return true;
	return wait && n->n_timed_out > 0 &&
	    timed_out_drain(n, n->n_timed_out - 1, NULL) == 0;
}

/*
 * Returns JOB_RUNNING, WAITING, or an error.  Jobs that timed out free their
 * memory when they end, so a failure while such jobs exist does not show how
 * many jobs fit.
 */
static int
begin(struct npu_queue *q, struct queue_slot *s, const void *in)
{
	unsigned held = jobs_held(q);
	int rc;

	if (q->lost) {
		s->err = q->why;
		return q->why.code;
	}
	reuse_idle(q, &s->f);
	if (s->f.used && (rc = keep_input(q, s, in)) < 0)
		return rc;
	rc = frame_begin(q->npu, &s->f, in, &s->err);
	if (lacks_memory(s, rc) && one_timed_out_ends(q, held == 0))
		rc = frame_begin(q->npu, &s->f, in, &s->err);
	if (rc == 0) {
		room_confirm(&q->room, held + 1);
		return JOB_RUNNING;
	}
	if (!lacks_memory(s, rc) || held == 0)
		return rc;
	if (q->npu->n_timed_out == 0 && room_lower(&q->room, held))
		note_room(q);
	return wait_for_memory(q, s, in);
}

/* Begins waiting frames, in order, as long as there is memory. */
static void
begin_waiting(struct npu_queue *q)
{
	for (unsigned i = 0; i < q->n && q->n_waiting > 0; i++) {
		struct queue_slot *s = slot(q, i);

		if (s->rc != WAITING)
			continue;
		if (jobs_held(q) >= q->room.n)
			break;
		if ((s->rc = begin(q, s, s->copy)) == WAITING)
			break;
		q->n_waiting--;
	}
}

/* Starts nothing while depth jobs that timed out still run. */
static int
make_room(struct npu_queue *q, struct queue_slot *s, struct npu_err *err)
{
	s->rc = 0;
	if (!q->lost && q->npu->n_timed_out >= q->depth)
		s->rc = timed_out_drain(q->npu, q->depth - 1, &s->err);
	if (s->rc == NPU_ESTOPPED)
		return npu_fail(err, NPU_ESTOPPED, "%s", s->err.msg);
	return 0;
}

int
npu_queue_put(struct npu_queue *q, const void *in, struct npu_err *err)
{
	struct queue_slot *s;
	int rc;

	if ((rc = npu_need(q, "npu_queue_put(): queue", err)) < 0 ||
	    (rc = npu_check_thread(q->npu, err)) < 0 ||
	    (q->npu->in_size > 0 &&
	    (rc = npu_need(in, "npu_queue_put(): in", err)) < 0))
		return rc;
	if (q->n == q->depth)
		return npu_fail(err, NPU_EUSAGE, "the queue is full: take a "
		    "result first");
	s = slot(q, q->n);
	s->f = (struct frame){ 0 };
	s->ahead = 0;
	if ((rc = make_room(q, s, err)) < 0)
		return rc;
	if (s->rc == 0)
		s->rc = q->n_waiting > 0 || q->n >= q->room.n ?
		    wait_for_memory(q, s, in) : begin(q, s, in);
	q->n_waiting += s->rc == WAITING;
	q->n++;
	return 0;
}

bool
npu_queue_full(const struct npu_queue *q)
{
	return q->n >= q->room.n;
}

unsigned
npu_queue_length(const struct npu_queue *q)
{
	return q->n;
}

/* ---- Getting ----------------------------------------------------------- */

/* Returns when the oldest frame was submitted and no earlier job ran. */
static uint64_t
runnable_since(const struct npu_queue *q, const struct frame *f)
{
	return f->submitted > q->free_since ? f->submitted : q->free_since;
}

/* Marks the device as gone, for this frame and all later frames. */
static void
lose_device(struct npu_queue *q, struct queue_slot *s)
{
	npu_prefix(&s->err, NPU_ENODEV, "the device is gone, and this queue "
	    "with it");
	q->why = s->err;
	q->lost = true;
}

/* Returns the limit of a frame, from when it could run.  A frame that was
 * started again runs after the others, and gets their limits in addition. */
static int64_t
time_limit(const struct npu_queue *q, const struct queue_slot *s)
{
	int32_t ms = frame_timeout(q->npu, &s->f);

	return ms < 0 ? ms : (int64_t)ms * (1 + s->ahead);
}

static void
poll_slot(struct npu_queue *q, struct queue_slot *s, int32_t slice_ms)
{
	s->rc = job_poll(&q->npu->s, s->f.job, slice_ms, &s->f.over, &s->err);
	if (s->rc == JOB_RUNNING)
		return;
	if (!s->f.over)
		s->rc = frame_recheck(q->npu, &s->f, q->n, s->rc, &s->err);
	s->f.times.infer += clock_ns() - runnable_since(q, &s->f);
	q->free_since = clock_ns();
}

static void
handle_timeout(struct npu_queue *q, struct queue_slot *s)
{
	uint64_t now = clock_ns();

	s->f.times.infer += now - runnable_since(q, &s->f);
	q->free_since = now;
	if (s->f.used) {
		q->trying = false;
		frame_retry_fresh(q->npu, &s->f, 0);
		clean_idle(q);
		s->ahead = jobs_held(q);
		s->rc = frame_begin(q->npu, &s->f, s->copy, &s->err);
		s->rc = s->rc == 0 ? JOB_RUNNING : s->rc;
		return;
	}
	s->rc = job_timeout_error(q->npu->opt.timeout_ms, &s->err);
	if (q->npu->n_timed_out > 0)
		npu_prefix(&s->err, NPU_ETIMEOUT, "an earlier inference that "
		    "timed out may still occupy the NPU");
}

/*
 * Waits until the oldest frame does not run.  Its time counts from when it
 * could run: after the previous job ended or timed out, and, if a job that
 * timed out ends later, after that end.
 */
static int
await(struct npu_queue *q, struct queue_slot *s, struct npu_err *err)
{
	int32_t ms;

	while (s->rc == JOB_RUNNING) {
		if (job_stopped(&q->npu->s))
			return npu_fail(err, NPU_ESTOPPED, "stopped");
		ms = job_slice(job_deadline(runnable_since(q, &s->f),
		    time_limit(q, s)));
		/* Poll even with no time left: it may have ended by now. */
		poll_slot(q, s, ms);
		if (q->npu->n_timed_out > 0 && timed_out_reap(q->npu) > 0)
			q->free_since = clock_ns();
		else if (s->rc == JOB_RUNNING && ms == 0)
			handle_timeout(q, s);
	}
	return 0;
}

bool
npu_queue_ready(struct npu_queue *q)
{
	return npu_queue_wait(q, 0);
}

bool
npu_queue_wait(struct npu_queue *q, int32_t ms)
{
	struct queue_slot *s = oldest(q);

	if (q->n == 0 || npu_check_thread(q->npu, NULL) < 0)
		return false;
	if (job_stopped(&q->npu->s) || ms < 0)
		ms = 0;
	if (s->rc == JOB_RUNNING && !q->lost)
		poll_slot(q, s, ms < JOB_SLICE_MS ? ms : JOB_SLICE_MS);
	return s->rc != JOB_RUNNING;
}

int
npu_queue_get(struct npu_queue *q, void *out, struct npu_err *err)
{
	struct queue_slot *s;
	int rc;

	if ((rc = npu_need(q, "npu_queue_get(): queue", err)) < 0 ||
	    (rc = npu_check_thread(q->npu, err)) < 0 ||
	    (q->npu->out_size > 0 &&
	    (rc = npu_need(out, "npu_queue_get(): out", err)) < 0))
		return rc;
	if (q->n == 0)
		return npu_fail(err, NPU_EUSAGE, "nothing is in the queue");
	s = oldest(q);
	if (q->lost) {		/* later frames were not polled */
		s->rc = q->why.code;
		s->err = q->why;
	}
	if ((rc = await(q, s, err)) < 0)
		return rc;
	if (s->rc == JOB_DONE)
		s->rc = frame_fetch(q->npu, &s->f, out, &s->err);
	if (s->rc == NPU_ENODEV && !q->lost)
		lose_device(q, s);
	if (!keep_for_reuse(q, s))
		frame_end(q->npu, &s->f, 0);
	q->npu->times = s->f.times;
	q->first = (q->first + 1) % q->depth;
	q->n--;
	room_raise(&q->room);
	begin_waiting(q);
	if (s->rc < 0 && err != NULL)
		*err = s->err;
	return s->rc;
}
