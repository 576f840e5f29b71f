// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "emu/device.h"
#include "emu/engine.h"
#include "emu/message.h"
#include "emu/ort.h"

/* 4 partitions x 8 clusters x 16 cores, the maximum of the settings. */
#define MAX_CORES 512

/* One job in flight.  As in the driver, a submission outlives its job: if the
 * job is cleaned in flight, its core stays busy (noe-abi 4.10). */
struct submission {
	struct submission *next;	/* in order of submission */
	struct emu_job *job;	/* held */
	uint64_t thread;	/* of the submitter */
	bool any_thread;	/* may collect the job's end */
	bool abnormal;		/* the first query fails */
	bool hung;		/* never finishes */
	bool running;		/* on a core */
	bool finished;
	enum job_state outcome;
	int64_t submitted;	/* CLOCK_MONOTONIC, ns */
	int64_t duration;	/* minimum, ns */
	struct stop_token token;	/* stops the computation */
};

static struct submission *submissions;
static pthread_t cores[MAX_CORES];
static unsigned n_cores, n_idle;
static bool closing, lost;
static pthread_cond_t work, finished, interrupted;
/* Threads that submitted or waited get a number.  Their addresses would not
 * identify them: a later thread may get the memory, and with it the addresses,
 * of a thread that ended. */
static uint64_t n_threads;
static _Thread_local uint64_t thread_number;	/* 0: not numbered yet */

static void
make_conditions(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&work, &attr);
	pthread_cond_init(&finished, &attr);
	pthread_cond_init(&interrupted, &attr);
	pthread_condattr_destroy(&attr);
}

static int64_t
now_ns(void)
{
	return (int64_t)clock_ns();
}

/* Waits for cond.  Returns false after the time until. */
static bool
wait_until(pthread_cond_t *cond, int64_t until)
{
	struct timespec t = { until / 1000000000, until % 1000000000 };

	return pthread_cond_timedwait(cond, &emu_lock, &t) != ETIMEDOUT;
}

/* ---- Cores ------------------------------------------------------------ */

static bool
is_waiting(const struct submission *s)
{
	return !s->running && !s->hung && !s->finished;
}

static struct submission *
next_waiting(void)
{
	struct submission *s = submissions;

	while (s != NULL && !is_waiting(s))
		s = s->next;
	return s;
}

static unsigned
count_waiting(void)
{
	unsigned n = 0;

	for (struct submission *s = submissions; s != NULL; s = s->next)
		n += is_waiting(s);
	return n;
}

/* Computes the job without the lock.  s is not freed while it is running, and
 * it holds its job. */
static void
compute(struct submission *s)
{
	struct emu_job *j = s->job;
	struct npu_err err;
	int rc;

	if (s->outcome != JOB_DONE || j->removed)
		return;
	pthread_mutex_unlock(&emu_lock);
	rc = engine_run(j, &s->token, &err);
	pthread_mutex_lock(&emu_lock);
	if (rc == 0 || s->token.stopped)
		return;
	s->outcome = JOB_EXCEPTION;
	emu_message("job 0x%llx: %s; the job ends in an exception",
	    (unsigned long long)j->id, err.msg);
}

/*
 * Runs s on a core that was free from *since on.  The device's time begins at
 * *since, or at submission if that was later, as on a device that starts its
 * next job by itself: the delay with which this machine wakes a thread does not
 * count as device time.  The device is not closing yet, as the lock was held
 * since that, or the job's context, was checked.
 */
static void
run_submission(struct submission *s, int64_t *since)
{
	int64_t begin = s->submitted > *since ? s->submitted : *since;
	int64_t until = begin + s->duration, now;

	s->running = true;
	compute(s);
	now = now_ns();
	*since = now > until ? now : until;
	while (!closing && now_ns() < until)
		wait_until(&interrupted, until);
	s->finished = true;
	s->running = false;
	pthread_cond_broadcast(&finished);
}

static void *
core_main(void *unused)
{
	int64_t since = 0;
	struct submission *s;

	(void)unused;
	pthread_mutex_lock(&emu_lock);
	while (!closing) {
		if ((s = next_waiting()) != NULL) {
			run_submission(s, &since);
			continue;
		}
		n_idle++;
		pthread_cond_wait(&work, &emu_lock);
		n_idle--;
	}
	pthread_mutex_unlock(&emu_lock);
	return NULL;
}

/* Starts one more core if the limit allows it and fewer cores are idle than
 * jobs wait.  A core that was signalled counts as idle until it wakes.  The
 * program's signals are blocked in the core's thread.  Returns false if no core
 * exists. */
static bool
start_core(void)
{
	unsigned most = emu_settings.partitions * emu_settings.clusters *
	    emu_settings.cores;
	sigset_t all, old;
	int rc;

	if (n_idle >= count_waiting() || n_cores >= most)
		return n_cores > 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rc = pthread_create(&cores[n_cores], NULL, core_main, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc == 0)
		n_cores++;
	return n_cores > 0;
}

/* ---- Submitting ------------------------------------------------------- */

static uint64_t
this_thread(void)
{
	if (thread_number == 0)
		thread_number = ++n_threads;
	return thread_number;
}

static struct submission *
add_submission(struct emu_job *j)
{
	struct submission *s = calloc(1, sizeof(*s)), **at = &submissions;

	if (s == NULL)
		return NULL;
	s->job = hold_job(j);
	s->thread = this_thread();
	s->any_thread = !j->graph->ctx->own_thread;
	while (*at != NULL)
		at = &(*at)->next;
	*at = s;
	return s;
}

static void
remove_submission(struct submission *s)
{
	struct submission **at = &submissions;

	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	release_job(s->job);
	free(s);
}

noe_status_t
device_submit(struct emu_job *j, enum emu_fault fault, int64_t more)
{
	enum job_state before = j->state;
	int64_t since = 0;
	struct submission *s;

	if (fault == EMU_NODEVICE)
		device_lose();
	if (lost || fault == EMU_SCHEDULE || (s = add_submission(j)) == NULL) {
		emu_noise_error("the job could not be scheduled");
		return NOE_STATUS_ERROR_JOB_DISPATCH_FAIL;
	}
	s->outcome = fault == EMU_EXCEPTION ? JOB_EXCEPTION :
	    fault == EMU_COREDUMP ? JOB_COREDUMP : JOB_DONE;
	s->hung = fault == EMU_TIMEOUT;
	s->abnormal = fault == EMU_ABNORMAL;
	s->submitted = now_ns();
	s->duration = emu_settings.ns[EMU_INFER] + more;
	j->state = JOB_SCHEDULED;
	if (s->hung)
		return NOE_STATUS_SUCCESS;
	/* A job that takes no time needs no core. */
	if (s->duration == 0 && !engine_slow(j->graph->engine)) {
		run_submission(s, &since);
		return NOE_STATUS_SUCCESS;
	}
	if (!start_core()) {
		j->state = before;
		remove_submission(s);
		emu_message("no thread can be started for the job");
		return NOE_STATUS_ERROR_JOB_DISPATCH_FAIL;
	}
	/* Not a signal: glibc before 2.41 may lose one of several (its bug
	 * 25847). */
	pthread_cond_broadcast(&work);
	return NOE_STATUS_SUCCESS;
}

/* ---- Waiting ---------------------------------------------------------- */

/* Returns the first finished submission that this thread may collect. */
static struct submission *
first_finished(void)
{
	struct submission *s = submissions;

	while (s != NULL && (!s->finished ||
	    (s->thread != this_thread() && !s->any_thread)))
		s = s->next;
	return s;
}

/* Records the end of s in the job that has its id.  If the job was cleaned,
 * this is the job that has the id now, as in the library (tests/abi). */
static void
record_end(struct context *c, const struct submission *s)
{
	struct emu_job *j = s->job;

	if (j->removed && find_job(c, j->id, &j) != NOE_STATUS_SUCCESS)
		return;
	j->state = s->outcome;
}

/* Collects the end of s: records it and removes s. */
static noe_status_t
collect(struct context *c, struct submission *s)
{
	if (s->abnormal) {
		s->abnormal = false;	/* later queries succeed */
		return NOE_STATUS_ERROR_DEV_ABNORMAL;
	}
	record_end(c, s);
	if (s->outcome != JOB_DONE)
		emu_noise_error("a job ended in an exception");
	remove_submission(s);
	return NOE_STATUS_SUCCESS;
}

static noe_status_t
wait_event(struct context *c, int32_t timeout)
{
	int64_t until = timeout < 0 ? INT64_MAX :
	    now_ns() + timeout * (int64_t)1000000;
	struct submission *s;

	for (;;) {
		if (lost)
			return NOE_STATUS_ERROR_DEV_ABNORMAL;
		if (c->removed)		/* by another thread */
			return NOE_STATUS_ERROR_INVALID_CTX;
		if ((s = first_finished()) != NULL)
			return collect(c, s);
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

/* ---- Cancelling, losing and closing ----------------------------------- */

void
device_cancel(struct emu_job *j)
{
	for (struct submission *s = submissions; s != NULL; s = s->next)
		if (s->job == j && s->running)
			ort_stop(&s->token);
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
	struct submission *s = submissions;

	while (s != NULL && s->finished)
		s = s->next;
	return s != NULL;
}

static bool
any_running(void)
{
	struct submission *s = submissions;

	while (s != NULL && !s->running)
		s = s->next;
	return s != NULL;
}

void
device_close(void)
{
	closing = true;
	for (struct submission *s = submissions; s != NULL; s = s->next)
		if (s->running)
			ort_stop(&s->token);
	pthread_cond_broadcast(&work);
	pthread_cond_broadcast(&interrupted);
	while (n_cores > 0) {
		pthread_t t = cores[--n_cores];

		pthread_mutex_unlock(&emu_lock);
		pthread_join(t, NULL);
		pthread_mutex_lock(&emu_lock);
	}
	while (any_running())	/* on the program's threads */
		pthread_cond_wait(&finished, &emu_lock);
	while (submissions != NULL)
		remove_submission(submissions);
	closing = false;
	pthread_cond_broadcast(&finished);
}

void
device_await_close(void)
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
 * Resets the device in a forked child.  A child has only the thread that
 * forked: jobs that ran on the parent's cores, or on other threads of the
 * program, never finish here.  The conditions are replaced, because the old
 * ones count waiters that do not exist in the child, and signals would be lost
 * to these waiters.
 */
static void
in_child(void)
{
	n_cores = n_idle = 0;
	closing = false;
	for (struct submission *s = submissions; s != NULL; s = s->next) {
		s->running = false;
		s->hung = !s->finished;
	}
	make_conditions();
	pthread_mutex_unlock(&emu_lock);
}

/* Installs the fork handlers in a constructor: a fork may happen before the
 * first call.  If memory for the handlers is missing, a child behaves as on the
 * board. */
__attribute__((constructor)) static void
init_device(void)
{
	make_conditions();
	pthread_atfork(before_fork, in_parent, in_child);
}
