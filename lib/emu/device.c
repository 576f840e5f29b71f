// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "emu/device.h"
#include "emu/message.h"

/* 4 partitions x 8 clusters x 16 cores: no setting gives more. */
#define MAX_CORES 512

/* One submission.  It outlives its job, as in the driver: cleaning a job in
 * flight does not call the device back (noe-abi 4.10). */
struct flight {
	struct flight *next;	/* in order of submission */
	struct emu_job *job;	/* held */
	const char *thread;	/* who submitted */
	bool any_thread;	/* may hear of its end */
	bool abnormal;		/* asking about it fails */
	bool hung;		/* never finishes */
	bool taken;		/* a core is at it */
	bool finished;
	enum job_state outcome;
	int64_t submitted;	/* when */
	int64_t takes;		/* ns, at the least */
	struct engine_run run;	/* to call a computation back */
};

static struct flight *flights;
static pthread_t cores[MAX_CORES];
static unsigned n_cores, n_idle;
static bool closing, lost;
static pthread_cond_t work, finished, called_back;
static _Thread_local char myself;	/* its address names the thread */

static void
make_conditions(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&work, &attr);
	pthread_cond_init(&finished, &attr);
	pthread_cond_init(&called_back, &attr);
	pthread_condattr_destroy(&attr);
}

static int64_t
now_ns(void)
{
	return (int64_t)clock_ns();
}

/* False when it is later than until. */
static bool
wait_until(pthread_cond_t *cond, int64_t until)
{
	struct timespec t = { until / 1000000000, until % 1000000000 };

	return pthread_cond_timedwait(cond, &emu_lock, &t) != ETIMEDOUT;
}

/* ---- The cores -------------------------------------------------------- */

static bool
waits(const struct flight *f)
{
	return !f->taken && !f->hung && !f->finished;
}

static struct flight *
next_work(void)
{
	struct flight *f = flights;

	while (f != NULL && !waits(f))
		f = f->next;
	return f;
}

static unsigned
waiting(void)
{
	unsigned n = 0;

	for (struct flight *f = flights; f != NULL; f = f->next)
		n += waits(f);
	return n;
}

/* Computes, with the lock let go: f is not freed while it is taken, and holds
 * its job. */
static void
compute(struct flight *f)
{
	struct emu_job *j = f->job;
	struct npu_err err;
	int rc;

	if (f->outcome != JOB_DONE || j->gone)
		return;
	pthread_mutex_unlock(&emu_lock);
	rc = engine_run(j, &f->run, &err);
	pthread_mutex_lock(&emu_lock);
	if (rc == 0 || f->run.stopped)
		return;
	f->outcome = JOB_EXCEPTION;
	emu_message("job 0x%llx: %s; the job ends in an exception",
	    (unsigned long long)j->id, err.msg);
}

/*
 * The core was free from *since on.  What waited for it began then, as on a
 * device that goes from one job to the next by itself: how late this machine
 * wakes a thread is no part of the device's time.  Nothing is closing yet: the
 * lock was kept since that, or a job's context, was seen.
 */
static void
fly(struct flight *f, int64_t *since)
{
	int64_t begin = f->submitted > *since ? f->submitted : *since;
	int64_t until = begin + f->takes, now;

	f->taken = true;
	compute(f);
	now = now_ns();
	*since = now > until ? now : until;
	while (!closing && now_ns() < until)
		wait_until(&called_back, until);
	f->finished = true;
	f->taken = false;
	pthread_cond_broadcast(&finished);
}

static void *
core(void *unused)
{
	int64_t since = 0;
	struct flight *f;

	(void)unused;
	pthread_mutex_lock(&emu_lock);
	while (!closing) {
		if ((f = next_work()) != NULL) {
			fly(f, &since);
			continue;
		}
		n_idle++;
		pthread_cond_wait(&work, &emu_lock);
		n_idle--;
	}
	pthread_mutex_unlock(&emu_lock);
	return NULL;
}

/* One more core, if there are more and those idle are too few for what waits:
 * one that was signalled is idle until it wakes.  The program's signals are
 * not for it. */
static bool
start_core(void)
{
	unsigned most = emu_settings.partitions * emu_settings.clusters *
	    emu_settings.cores;
	sigset_t all, old;
	int rc;

	if (n_idle >= waiting() || n_cores >= most)
		return n_cores > 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&cores[n_cores], NULL, core, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc == 0)
		n_cores++;
	return n_cores > 0;
}

/* ---- Submitting ------------------------------------------------------- */

static struct flight *
add_flight(struct emu_job *j)
{
	struct flight *f = calloc(1, sizeof(*f)), **at = &flights;

	if (f == NULL)
		return NULL;
	f->job = hold_job(j);
	f->thread = &myself;
	f->any_thread = !j->graph->ctx->own_thread;
	while (*at != NULL)
		at = &(*at)->next;
	*at = f;
	return f;
}

static void
remove_flight(struct flight *f)
{
	struct flight **at = &flights;

	while (*at != f)
		at = &(*at)->next;
	*at = f->next;
	release_job(f->job);
	free(f);
}

noe_status_t
device_submit(struct emu_job *j, enum emu_fault fault, int64_t more)
{
	enum job_state before = j->state;
	int64_t since = 0;
	struct flight *f;

	if (fault == EMU_NODEVICE)
		device_lose();
	if (lost || fault == EMU_SCHEDULE || (f = add_flight(j)) == NULL) {
		emu_noise_error("the job could not be scheduled");
		return NOE_STATUS_ERROR_JOB_DISPATCH_FAIL;
	}
	f->outcome = fault == EMU_EXCEPTION ? JOB_EXCEPTION :
	    fault == EMU_COREDUMP ? JOB_COREDUMP : JOB_DONE;
	f->hung = fault == EMU_TIMEOUT;
	f->abnormal = fault == EMU_ABNORMAL;
	f->submitted = now_ns();
	f->takes = emu_settings.ns[EMU_INFER] + more;
	j->state = JOB_FLYING;
	if (f->hung)
		return NOE_STATUS_SUCCESS;
	/* What takes no time needs no thread. */
	if (f->takes == 0 && !engine_slow(&j->graph->engine)) {
		fly(f, &since);
		return NOE_STATUS_SUCCESS;
	}
	if (!start_core()) {
		j->state = before;
		remove_flight(f);
		emu_message("no thread can be started for the job");
		return NOE_STATUS_ERROR_JOB_DISPATCH_FAIL;
	}
	/* glibc before 2.41 may lose a signal to several (its bug 25847). */
	pthread_cond_broadcast(&work);
	return NOE_STATUS_SUCCESS;
}

/* ---- Waiting ---------------------------------------------------------- */

/* The first finished flight that this thread is told of. */
static struct flight *
first_finished(void)
{
	struct flight *f = flights;

	while (f != NULL && (!f->finished ||
	    (f->thread != &myself && !f->any_thread)))
		f = f->next;
	return f;
}

/* Notes an end on the job of that id: where it was cleaned, on the one that
 * has its id now, as the library does (tests/abi). */
static void
note(struct context *c, const struct flight *f)
{
	struct emu_job *j = f->job;

	if (j->gone && find_job(c, j->id, &j) != NOE_STATUS_SUCCESS)
		return;
	j->state = f->outcome;
}

/* Takes the end of f. */
static noe_status_t
take(struct context *c, struct flight *f)
{
	if (f->abnormal) {
		f->abnormal = false;	/* the next question is answered */
		return NOE_STATUS_ERROR_DEV_ABNORMAL;
	}
	note(c, f);
	if (f->outcome != JOB_DONE)
		emu_noise_error("a job ended in an exception");
	remove_flight(f);
	return NOE_STATUS_SUCCESS;
}

static noe_status_t
wait_event(struct context *c, int32_t timeout)
{
	int64_t until = timeout < 0 ? INT64_MAX :
	    now_ns() + timeout * (int64_t)1000000;
	struct flight *f;

	for (;;) {
		if (lost)
			return NOE_STATUS_ERROR_DEV_ABNORMAL;
		if (c->gone)		/* by another thread */
			return NOE_STATUS_ERROR_INVALID_CTX;
		if ((f = first_finished()) != NULL)
			return take(c, f);
		if (until == INT64_MAX)
			pthread_cond_wait(&finished, &emu_lock);
		else if (timeout == 0 || now_ns() >= until)
			return NOE_STATUS_ERROR_TIMEOUT;
		else
			wait_until(&finished, until);
	}
}

noe_status_t
device_wait(struct context *c, int32_t timeout)
{
	noe_status_t st = wait_event(hold_context(c), timeout);

	release_context(c);
	return st;
}

/* ---- Ends ------------------------------------------------------------- */

void
device_forget(struct emu_job *j)
{
	for (struct flight *f = flights; f != NULL; f = f->next)
		if (f->job == j && f->taken)
			engine_stop(&f->run);
}

void
device_lose(void)
{
	if (!lost)
		emu_message("NPU_EMU_FAULT: the device is gone from here on");
	lost = true;
	pthread_cond_broadcast(&finished);
}

bool
device_lost(void)
{
	return lost;
}

bool
device_busy(void)
{
	struct flight *f = flights;

	while (f != NULL && f->finished)
		f = f->next;
	return f != NULL;
}

static bool
any_taken(void)
{
	struct flight *f = flights;

	while (f != NULL && !f->taken)
		f = f->next;
	return f != NULL;
}

void
device_close(void)
{
	closing = true;
	for (struct flight *f = flights; f != NULL; f = f->next)
		if (f->taken)
			engine_stop(&f->run);
	pthread_cond_broadcast(&work);
	pthread_cond_broadcast(&called_back);
	while (n_cores > 0) {
		pthread_t t = cores[--n_cores];

		pthread_mutex_unlock(&emu_lock);
		pthread_join(t, NULL);
		pthread_mutex_lock(&emu_lock);
	}
	while (any_taken())	/* by a thread of the program */
		pthread_cond_wait(&finished, &emu_lock);
	while (flights != NULL)
		remove_flight(flights);
	closing = false;
	pthread_cond_broadcast(&finished);
}

void
device_await(void)
{
	while (closing)
		pthread_cond_wait(&finished, &emu_lock);
}

/* ---- fork() ----------------------------------------------------------- */

static void
before_fork(void)
{
	pthread_mutex_lock(&emu_lock);
}

static void
in_parent(void)
{
	pthread_mutex_unlock(&emu_lock);
}

/*
 * A child has no thread but the one that forked.  What the parent's cores, or
 * other threads of its program, were at never finishes here.  The conditions
 * are made anew, as the old ones count sleepers that will not wake, and lose
 * signals to them.
 */
static void
in_child(void)
{
	n_cores = n_idle = 0;
	closing = false;
	for (struct flight *f = flights; f != NULL; f = f->next) {
		f->taken = false;
		f->hung = !f->finished;
	}
	make_conditions();
	pthread_mutex_unlock(&emu_lock);
}

/* A fork may come at any time: the first call would be too late.  Without
 * memory for its handlers, children are as they are on the board. */
__attribute__((constructor)) static void
begin(void)
{
	make_conditions();
	pthread_atfork(before_fork, in_parent, in_child);
}
