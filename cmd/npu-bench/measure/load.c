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
	IN_A_ROW = 10,		/* consecutive failures that end the phase */
	MS = 1000000,
	NAP_NS = 100000,	/* between polls, where the library's waits,
				   in ms, are too coarse */
	SLEEP_NS = 100 * MS,	/* interval for checking cmd_stop */
};
#define NEVER UINT64_MAX

struct loop {
	struct meter *m;
	struct load_phase *p;
	uint64_t now;		/* from clock_ns(), like all times below */
	struct {
		uint64_t due, begin;
	} pending[NPU_QUEUE_MAX];	/* number i is put at i modulo the
					   array's size */
	uint64_t put, got;
	unsigned in_a_row;	/* failures since the last success */
	uint64_t query;		/* when the query began; MULTI_STREAM */
	unsigned query_left;	/* samples of the query that are still to be
				   put */
	struct poisson poisson;
	uint64_t arrivals;	/* arrivals so far; SERVER */
	uint64_t arrival;	/* time of the next arrival */
	uint64_t closed;	/* later arrivals are not served; 0: not set
				   yet */
	uint64_t ended;		/* since when nothing may be put; 0: still
				   allowed */
};

/* ---- Limits ------------------------------------------------------------- */

/* Also counts those in flight, because they will be kept. */
static uint64_t
kept(const struct loop *l)
{
	return l->p->n + (l->put - l->got);
}

static bool
enough(const struct loop *l)
{
	const struct load_phase *p = l->p;

	/* The time counts from the first inference, like the reported time. */
	return p->until == NULL &&
	    l->now - p->at - p->first_begin >= p->least_ns &&
	    kept(l) >= p->least_n;
}

static bool
time_is_up(const struct loop *l)
{
	return l->p->most_ns != 0 && l->now - l->p->at >= l->p->most_ns;
}

/* True if nothing more may be put, except for the rest of a query. */
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

/* True if putting may resume after one in flight has failed. */
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

/* ---- Scenarios ---------------------------------------------------------- */

/*
 * Returns when the next inference is due if the queue has room: up to l->now
 * means immediately; NEVER means not before those in flight are got, or not at
 * all.
 */
static uint64_t
due_at_once(struct loop *l)
{
	return enough(l) ? NEVER : l->now;
}

/* The next query begins when the previous query is complete. */
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

/* Drops arrivals up to then that are still waiting. */
static void
drop_arrivals(struct loop *l, uint64_t then)
{
	for (; l->arrival <= then; l->p->left++)
		next_arrival(l);
}

/* Drops arrivals that are still queued. */
static void
drop_waiting(struct loop *l)
{
	uint64_t then = l->closed != 0 ? l->closed : l->ended;

	if (l->p->most_ns != 0 && then > l->p->at + l->p->most_ns)
		then = l->p->at + l->p->most_ns;
	drop_arrivals(l, then);
}

/*
 * Still serves arrivals from before there were enough, for at most the time
 * that passed until then.  Otherwise the longest waits would be left out.
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
	/* Check for a full queue first, because that costs nothing. */
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
	/* The measurement would not be what the user asked for. */
	if (npu_queue_full(l->m->queue) &&
	    npu_queue_length(l->m->queue) < l->m->inflight)
		return npu_fail(&l->p->err, NPU_EDEVICE, "the device has no "
		    "memory for %u inferences at a time: give fewer with "
		    "--jobs", l->m->inflight);
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

/* Puts the inference's number before the message. */
static int
prefix_inference(struct loop *l, int rc)
{
	return npu_prefix(&l->p->err, rc, "%s %" PRIu64, l->p->what, l->got);
}

/* Handles a failed inference; returns rc if that ends the phase. */
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

/* An inference with a wrong output does not count, even if it is fast. */
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
	    PRIx64 ", but the first was %016" PRIx64 ": the same input must "
	    "give the same output", sum, m->checksum);
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

/* ---- The loop ----------------------------------------------------------- */

/* Called when no inference is in flight. */
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
 * Waits until the oldest inference is done (true) or the next is due.  The
 * library waits in whole milliseconds and may take one more.  The rest of the
 * time is therefore slept in naps, with a poll after each.
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
