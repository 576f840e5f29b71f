// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <time.h>

#include "base/clock.h"
#include "base/err.h"
#include "cmd.h"
#include "load.h"
#include "stats/poisson.h"
#include "store/layout.h"

enum {
	IN_A_ROW = 10,		/* failures that end it */
	MS = 1000000,
	NAP_NS = 100000,	/* between two looks, where the library's ms
				   are too coarse to wait in */
	SLEEP_NS = 100 * MS,	/* between two looks at cmd_stop */
};
#define NEVER UINT64_MAX

struct loop {
	struct meter *m;
	struct load_phase *p;
	uint64_t now;		/* clock_ns(), all below, too */
	struct {
		uint64_t due, begin;
	} pending[NPU_QUEUE_MAX];	/* put number i at i mod so many */
	uint64_t put, got;
	unsigned in_a_row;	/* failures */
	uint64_t query;		/* when it began; MULTI_STREAM */
	unsigned query_left;	/* of it, to be put */
	struct poisson poisson;
	uint64_t arrivals;	/* so far; SERVER */
	uint64_t arrival;	/* the next */
	uint64_t closed;	/* what arrives later is not waited for; 0:
				   not yet */
	uint64_t ended;		/* since when nothing may be put; 0: it may */
};

/* ---- When it ends ------------------------------------------------------- */

/* Those in flight will count, too. */
static uint64_t
kept(const struct loop *l)
{
	return l->p->n + (l->put - l->got);
}

static bool
enough(const struct loop *l)
{
	const struct load_phase *p = l->p;

	return p->until == NULL && l->now - p->at >= p->least_ns &&
	    kept(l) >= p->least_n;
}

static bool
time_is_up(const struct loop *l)
{
	return l->p->most_ns != 0 && l->now - l->p->at >= l->p->most_ns;
}

/* Nothing more may be put, come what may; but a query is answered whole. */
static bool
limit_reached(struct loop *l)
{
	struct load_phase *p = l->p;
	uint64_t next = p->scenario == MULTI_STREAM ? l->m->plan->per_query : 1;

	if (p->until != NULL && atomic_load(p->until) != 0)
		return true;
	if (l->query_left > 0)
		return false;
	if (p->sample != NULL && kept(l) + next > p->room) {
		p->full = p->full || !enough(l);
		return true;
	}
	return time_is_up(l) ||
	    (p->most_n != 0 && l->put >= p->most_n) ||
	    (p->most_over != 0 && p->over >= p->most_over);
}

/* Or it may again, where one in flight failed. */
static bool
may_not_put(struct loop *l)
{
	bool ends = limit_reached(l);

	if (!ends)
		l->ended = 0;
	else if (l->ended == 0)
		l->ended = l->now;
	return ends;
}

/* ---- The shapes --------------------------------------------------------- */

/*
 * When the next is due, if there were room: l->now or before is at once, NEVER
 * that nothing comes any more, or not before those in flight are got.
 */
static uint64_t
due_at_once(struct loop *l)
{
	return enough(l) ? NEVER : l->now;
}

/* The next query begins when the one before is answered whole. */
static uint64_t
due_by_query(struct loop *l)
{
	if (l->query_left == 0) {
		if (l->put > l->got || enough(l))
			return NEVER;
		l->query = l->now;
		l->query_left = l->m->plan->per_query;
	}
	return l->query;
}

static void
next_arrival(struct loop *l)
{
	uint64_t ns;

	l->arrivals++;
	if (l->m->plan->steady)
		ns = (uint64_t)((double)l->arrivals * 1e9 / l->p->rate);
	else
		ns = poisson_next(&l->poisson);
	l->arrival = l->p->at + ns;
}

/* Those who wait and came by then. */
static void
drop_arrivals(struct loop *l, uint64_t then)
{
	for (; l->arrival <= then; l->p->left++)
		next_arrival(l);
}

/* Those who came while it was open, and wait. */
static void
drop_waiting(struct loop *l)
{
	uint64_t then = l->closed != 0 ? l->closed : l->ended;

	if (l->p->most_ns != 0 && then > l->p->at + l->p->most_ns)
		then = l->p->at + l->p->most_ns;
	drop_arrivals(l, then);
}

/*
 * What arrived before it was enough is still done, so that those who waited
 * longest are not left out; but for no longer than all before it took.
 */
static uint64_t
due_by_arrival(struct loop *l)
{
	if (l->closed == 0 && enough(l))
		l->closed = l->now;
	if (l->closed == 0)
		return l->arrival;
	if (l->arrival > l->closed)
		return NEVER;
	if (l->now - l->closed < l->closed - l->p->at)
		return l->arrival;
	drop_arrivals(l, l->closed);
	return NEVER;
}

static uint64_t (*const due_of[SCENARIOS])(struct loop *) = {
	[SINGLE_STREAM] = due_at_once,
	[MULTI_STREAM] = due_by_query,
	[OFFLINE] = due_at_once,
	[SERVER] = due_by_arrival,
};

static uint64_t
next_due(struct loop *l)
{
	/* Reads what is free to be had of it first. */
	if (npu_queue_full(l->m->queue) || may_not_put(l))
		return NEVER;
	return due_of[l->p->scenario](l);
}

/* ---- One inference ------------------------------------------------------- */

static int
put(struct loop *l, uint64_t due)
{
	size_t i = l->put % NPU_QUEUE_MAX;
	int rc;

	l->pending[i].due = due;
	l->pending[i].begin = l->now;
	if ((rc = npu_queue_put(l->m->queue, l->m->in, &l->p->err)) < 0)
		return rc;
	l->put++;
	if (l->p->scenario == MULTI_STREAM)
		l->query_left--;
	if (l->p->scenario == SERVER)
		next_arrival(l);
	l->now = clock_ns();
	return 0;
}

static int
stopped(struct loop *l)
{
	return npu_fail(&l->p->err, NPU_ESTOPPED, "stopped");
}

/* Which inference it was, before what l->s->err says. */
static int
prefix_inference(struct loop *l, int rc)
{
	return npu_prefix(&l->p->err, rc, "%s %" PRIu64, l->p->what, l->got);
}

/* This frame failed; does that end it? */
static int
failed(struct loop *l, int rc, const struct npu_err *err)
{
	bool ends = rc != NPU_EDEVICE || ++l->in_a_row == IN_A_ROW;

	l->p->failed++;
	if (!ends && l->p->err.code != 0)
		return 0;
	l->p->err = *err;
	prefix_inference(l, rc);
	if (ends && rc == NPU_EDEVICE)
		npu_prefix(&l->p->err, rc, "%d in a row failed", IN_A_ROW);
	return ends ? rc : 0;
}

/* A fast wrong answer is none. */
static int
check_output(struct loop *l)
{
	struct meter *m = l->m;
	uint64_t sum = layout_checksum(m->out, m->out_bytes);

	if (!m->summed) {
		m->summed = true;
		m->checksum = sum;
	}
	l->now = clock_ns();
	if (sum == m->checksum)
		return 0;
	npu_fail(&l->p->err, NPU_EDEVICE, "the sum of its output is %016"
	    PRIx64 ", and that of the first %016" PRIx64 ": of the same input "
	    "the same must come", sum, m->checksum);
	prefix_inference(l, NPU_EDEVICE);
	return EXIT_FAILED;
}

static void
record_sample(struct loop *l, size_t i)
{
	const struct npu_times *t = npu_last_times(l->m->npu);
	struct load_phase *p = l->p;
	uint64_t due = l->pending[i].due, begin = l->pending[i].begin;

	if (p->n == 0)
		p->first_begin = begin - p->at;
	p->last_end = l->now - p->at;
	p->over += p->over_ns != 0 && l->now - due > p->over_ns;
	if (p->sample != NULL)
		p->sample[p->n] = (struct bench_sample){
			.due = due - p->at, .begin = begin - p->at,
			.end = l->now - p->at, .create = t->create,
			.put = t->load, .infer = t->infer, .get = t->get,
			.clean = t->clean,
		};
	p->n++;
}

static int
get(struct loop *l)
{
	size_t i = l->got % NPU_QUEUE_MAX;
	struct npu_err err;
	int rc;

	rc = npu_queue_get(l->m->queue, l->m->out, &err);
	l->now = clock_ns();
	if (rc == NPU_ESTOPPED)
		return stopped(l);
	l->got++;
	if (rc < 0)
		return failed(l, rc, &err);
	l->in_a_row = 0;
	record_sample(l, i);
	return check_output(l);
}

/* ---- All of them -------------------------------------------------------- */

/* Nothing flies: until due. */
static void
sleep_until(struct loop *l, uint64_t due)
{
	uint64_t until = due - l->now < SLEEP_NS ? due : l->now + SLEEP_NS;
	struct timespec t = { (time_t)(until / 1000000000),
	    (long)(until % 1000000000) };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	l->now = clock_ns();
}

/*
 * Until the oldest has ended, or it is time for the next, whichever comes
 * first.  The library waits in whole milliseconds, and may take one more; the
 * rest is slept in naps, between which it is asked.  True: it has ended.
 */
static bool
wait_for_both(struct loop *l, uint64_t due)
{
	uint64_t left = due - l->now < SLEEP_NS ? due - l->now : SLEEP_NS;
	struct timespec nap = { 0, left < NAP_NS ? (long)left : NAP_NS };
	int32_t ms = (int32_t)(left / MS) - 1;
	bool ended;

	if (ms <= 0)
		nanosleep(&nap, NULL);
	ended = npu_queue_wait(l->m->queue, ms > 0 ? ms : 0);
	l->now = clock_ns();
	return ended;
}

static int
step(struct loop *l, bool *over)
{
	bool pending = l->put > l->got;
	uint64_t due = next_due(l);

	if (cmd_stop != 0)
		return stopped(l);
	if (due <= l->now)
		return put(l, due);
	if (pending && (due == NEVER || wait_for_both(l, due)))
		return get(l);
	if (!pending && due == NEVER)
		*over = true;
	else if (!pending)
		sleep_until(l, due);
	return 0;
}

int
load_run(struct meter *m, struct load_phase *p)
{
	struct loop l = { .m = m, .p = p };
	bool over = false;
	int rc = 0;

	l.now = p->at = clock_ns();
	if (p->scenario == SERVER) {
		if (!m->plan->steady)
			poisson_start(&l.poisson, m->seed, p->rate);
		next_arrival(&l);
	}
	while (rc == 0 && !over)
		rc = step(&l, &over);
	if (p->scenario == SERVER && p->until == NULL)
		drop_waiting(&l);
	return rc;
}
