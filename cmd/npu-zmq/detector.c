// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "detector.h"
#include "device.h"
#include "serving/reopening.h"
#include "serving/service.h"
#include "signals.h"
#include "thread.h"

struct detector {
	struct detector_options options;
	pthread_mutex_t lock;		/* of all below */
	pthread_cond_t change;		/* for the thread, and while it loads */
	struct frame_jobs waiting, ended;
	struct frame_job *flight[NPU_QUEUE_MAX];	/* oldest first */
	unsigned n_flight;
	uint64_t oldest_since;		/* flight[0] may run, clock_ns() */
	struct reopening reopening;
	uint64_t resets;
	uint64_t call_since;	/* in the vendor's library; 0: not */
	bool quiet;		/* takes no job */
	bool abandon, stop;
	bool opened;			/* the model was loaded, or ... */
	struct npu_err err;		/* ... why not; code 0: not yet tried */
	int event;
	pthread_t thread;

	/* The thread's; npu and tensor are read when it has opened. */
	struct npu *npu;
	struct npu_queue *queue;
	struct npu_tensor tensor;	/* the output */
	uint64_t out_size;
};

/* ---- Jobs -------------------------------------------------------------- */

/* Under the lock, as all below. */
static void
job_ended(struct detector *d, struct frame_job *job, int rc,
    const struct npu_err *err)
{
	const uint64_t one = 1;

	job->rc = rc;
	if (rc < 0)
		job->err = *err;
	job->ended = clock_ns();
	jobs_add(&d->ended, job);
	/* It fails only where the number would not fit. */
	(void)!write(d->event, &one, sizeof(one));
}

static void
fail_flight(struct detector *d, int rc, const struct npu_err *err)
{
	for (unsigned i = 0; i < d->n_flight; i++)
		job_ended(d, d->flight[i], rc, err);
	d->n_flight = 0;
}

static void
fail_waiting(struct detector *d, int rc, const struct npu_err *err)
{
	struct frame_job *job;

	while ((job = jobs_take(&d->waiting)) != NULL)
		job_ended(d, job, rc, err);
}

/* ---- Calls of the vendor's library -------------------------------------- */

static void
begin_call(struct detector *d)
{
	d->call_since = clock_ns();
	pthread_mutex_unlock(&d->lock);
}

static void
end_call(struct detector *d)
{
	pthread_mutex_lock(&d->lock);
	d->call_since = 0;
}

static void
unload(struct detector *d)
{
	npu_queue_close(d->queue);
	npu_close(d->npu);
	d->queue = NULL;
	d->npu = NULL;
}

/* The library describes what the file does. */
static int
check_opened(struct detector *d, struct npu_err *err)
{
	const struct detector_options *o = &d->options;

	if (npu_inputs(d->npu) != 1 || npu_outputs(d->npu) != 1)
		return npu_fail(err, NPU_EFORMAT, "%s: %u inputs and %u "
		    "outputs; a detector has one of each", o->path,
		    npu_inputs(d->npu), npu_outputs(d->npu));
	if (npu_input_size(d->npu) != o->in_size)
		return npu_fail(err, NPU_EFORMAT, "%s: the library says that "
		    "its input has %" PRIu64 " bytes, the file %" PRIu64,
		    o->path, npu_input_size(d->npu), o->in_size);
	if (d->opened && npu_output_size(d->npu) != d->out_size)
		return npu_fail(err, NPU_EFORMAT, "%s: it was replaced by "
		    "another model; start the server again", o->path);
	d->tensor = *npu_output(d->npu, 0);
	d->out_size = npu_output_size(d->npu);
	return 0;
}

static int
load(struct detector *d, struct npu_err *err)
{
	int rc = npu_open(&d->npu, d->options.path, &cmd_device, err);

	if (rc == 0)
		rc = check_opened(d, err);
	if (rc == 0)
		rc = npu_queue_open(&d->queue, d->npu, d->options.in_flight,
		    err);
	if (rc < 0)
		unload(d);
	cmd_show_library_output(rc == 0);
	return rc;
}

/* ---- A model that fails ------------------------------------------------ */

/* Fails all jobs and unloads the model; reopen() loads it again. */
static void
drop(struct detector *d, int rc, const struct npu_err *err)
{
	fail_flight(d, rc, err);
	fail_waiting(d, rc, err);
	reopening_failed(&d->reopening, d->options.name, err);
	begin_call(d);
	unload(d);
	end_call(d);
}

static void
reopen(struct detector *d)
{
	struct npu_err err;
	int rc;

	begin_call(d);
	rc = load(d, &err);
	end_call(d);
	if (rc < 0) {
		reopening_failed(&d->reopening, d->options.name, &err);
		return;
	}
	cmd_note("%s: it is loaded again", d->options.name);
	d->reopening.down = false;
	d->resets++;
}

/* The server ends, and waits for no inference. */
static void
give_up(struct detector *d)
{
	struct npu_err err;
	int rc = npu_fail(&err, NPU_ESTOPPED, "the server is ending");

	if (d->n_flight > 0)
		drop(d, rc, &err);
	else
		fail_waiting(d, rc, &err);
}

/* ---- Running ----------------------------------------------------------- */

static int
put(struct detector *d, struct frame_job *job, struct npu_err *err)
{
	int rc;

	if ((job->out = malloc(d->out_size)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	rc = npu_queue_put(d->queue, job->in, err);
	free(job->in);
	job->in = NULL;
	return rc;
}

static bool
begin_one(struct detector *d)
{
	struct npu_err err;
	struct frame_job *job;
	int rc;

	if (d->reopening.down || d->n_flight >= d->options.in_flight ||
	    npu_queue_full(d->queue) ||
	    (job = jobs_take(&d->waiting)) == NULL)
		return false;
	begin_call(d);
	rc = put(d, job, &err);
	end_call(d);
	if (rc < 0) {
		job_ended(d, job, rc, &err);
		return true;
	}
	job->begun = clock_ns();
	if (d->n_flight == 0)
		d->oldest_since = job->begun;
	d->flight[d->n_flight++] = job;
	return true;
}

static uint64_t
spent(const struct npu_times *t)
{
	return t->create + t->load + t->infer + t->get + t->clean;
}

static void
end_job(struct detector *d, int rc, const struct npu_err *err)
{
	struct frame_job *job = d->flight[0];

	memmove(d->flight, d->flight + 1, --d->n_flight * sizeof(*d->flight));
	d->oldest_since = clock_ns();
	job_ended(d, job, rc, err);
	if (rc == NPU_ETIMEOUT || rc == NPU_ENODEV) {
		cmd_warn("%s: %s; it is loaded again", d->options.name,
		    err->msg);
		drop(d, rc, err);
	} else if (rc == 0) {
		d->reopening.pause_s = 0;
	}
}

static bool
end_one(struct detector *d)
{
	struct frame_job *job = d->flight[0];
	struct npu_err err;
	int rc;

	if (d->n_flight == 0 || (!npu_queue_ready(d->queue) &&
	    !inference_is_overdue(d->oldest_since)))
		return false;
	begin_call(d);
	rc = npu_queue_get(d->queue, job->out, &err);
	job->infer_ns = spent(npu_last_times(d->npu));
	cmd_show_library_output(rc == 0);
	end_call(d);
	end_job(d, rc, &err);
	return true;
}

/* Waits for an inference to end, but no longer than until another may begin. */
static void
await_end(struct detector *d)
{
	begin_call(d);
	npu_queue_wait(d->queue, d->n_flight < d->options.in_flight ? 1 : 10);
	end_call(d);
}

/* Waits for a job, or for the time of the next attempt to load. */
static void
await_job(struct detector *d)
{
	const uint64_t due = d->reopening.at;
	struct timespec t = { .tv_sec = (time_t)(due / 1000000000),
	    .tv_nsec = (long)(due % 1000000000) };

	if (d->reopening.down && !d->abandon)
		pthread_cond_clockwait(&d->change, &d->lock, CLOCK_MONOTONIC,
		    &t);
	else
		pthread_cond_wait(&d->change, &d->lock);
}

static void
run_jobs(struct detector *d)
{
	while (!d->stop) {
		if (d->abandon)
			give_up(d);
		else if (reopening_is_due(&d->reopening))
			reopen(d);
		/* Both have left the lock. */
		if (d->stop)
			break;
		if (end_one(d) || begin_one(d))
			continue;
		if (d->n_flight > 0)
			await_end(d);
		else if (d->reopening.down || d->waiting.n == 0)
			await_job(d);
	}
}

static void *
run_thread(void *arg)
{
	struct detector *d = arg;
	struct npu_err err;
	int rc = load(d, &err);

	pthread_mutex_lock(&d->lock);
	d->opened = rc == 0;
	if (rc < 0)
		d->err = err;
	pthread_cond_broadcast(&d->change);
	if (d->opened)
		run_jobs(d);
	pthread_mutex_unlock(&d->lock);
	unload(d);
	cmd_show_library_output(true);
	return NULL;
}

/* ---- Opening and closing ----------------------------------------------- */

static void
close_on_exit(void *arg)
{
	detector_close(arg);
}

static void
await_model(struct detector *d)
{
	int sig;

	pthread_mutex_lock(&d->lock);
	while (!d->opened && d->err.code == 0) {
		cond_wait_100ms(&d->change, &d->lock);
		if ((sig = service_pending_signal()) != 0)
			end_of_signal(sig);
	}
	pthread_mutex_unlock(&d->lock);
	if (!d->opened)
		cmd_die_err(NULL, &d->err);
}

struct detector *
detector_open(const struct detector_options *options, struct npu_tensor *out)
{
	struct detector *d = cmd_alloc(sizeof(*d));
	int e;

	*d = (struct detector){ .options = *options,
	    .lock = PTHREAD_MUTEX_INITIALIZER,
	    .change = PTHREAD_COND_INITIALIZER };
	d->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (d->event < 0)
		cmd_die("eventfd: %s", strerror(errno));
	if ((e = thread_start(&d->thread, run_thread, d)) != 0)
		cmd_die("no thread can be started: %s", strerror(e));
	await_model(d);
	cmd_on_exit(close_on_exit, d);
	*out = d->tensor;
	return d;
}

void
detector_close(struct detector *d)
{
	struct frame_job *job;

	cmd_on_exit(NULL, NULL);
	pthread_mutex_lock(&d->lock);
	d->stop = true;
	pthread_cond_broadcast(&d->change);
	pthread_mutex_unlock(&d->lock);
	pthread_join(d->thread, NULL);
	for (unsigned i = 0; i < d->n_flight; i++)
		job_free(d->flight[i]);
	while ((job = jobs_take(&d->waiting)) != NULL ||
	    (job = jobs_take(&d->ended)) != NULL)
		job_free(job);
	close(d->event);
	free(d);
}

/* ---- For the first thread ---------------------------------------------- */

int
detector_fd(const struct detector *d)
{
	return d->event;
}

struct frame_job *
detector_ended(struct detector *d)
{
	struct frame_job *job;
	uint64_t n;

	pthread_mutex_lock(&d->lock);
	job = jobs_take(&d->ended);
	if (job == NULL)
		(void)!read(d->event, &n, sizeof(n));
	pthread_mutex_unlock(&d->lock);
	return job;
}

static int
refusal(struct detector *d, struct npu_err *err)
{
	if (d->quiet)
		return npu_fail(err, NPU_ESTOPPED, "the server is ending");
	if (d->reopening.down)
		return npu_fail(err, NPU_ENODEV, "%s; it is loaded again in "
		    "%u s", d->reopening.reason,
		    reopening_seconds(&d->reopening));
	if (d->waiting.n >= d->options.waiting)
		return npu_fail(err, NPU_EUSAGE, "%zu frames wait, and no "
		    "more may (--max-waiting)", d->waiting.n);
	return 0;
}

int
detector_add(struct detector *d, struct frame_job *job, struct npu_err *err)
{
	int rc;

	pthread_mutex_lock(&d->lock);
	rc = refusal(d, err);
	if (rc == 0) {
		job->added = clock_ns();
		jobs_add(&d->waiting, job);
		pthread_cond_signal(&d->change);
	}
	pthread_mutex_unlock(&d->lock);
	return rc;
}

bool
detector_withdraw(struct detector *d, struct frame_job *job)
{
	bool found;

	pthread_mutex_lock(&d->lock);
	found = jobs_remove(&d->waiting, job);
	pthread_mutex_unlock(&d->lock);
	return found;
}

void
detector_expire(struct detector *d)
{
	const int32_t ms = d->options.wait_ms;
	struct npu_err err;
	int rc;

	if (ms < 0)
		return;
	rc = npu_fail(&err, NPU_ETIMEOUT, "the NPU was busy with other frames "
	    "for %" PRId32 " ms (--time-wait)", ms);
	pthread_mutex_lock(&d->lock);
	/* The first has waited for longest. */
	while (d->waiting.n > 0 && clock_ns() > d->waiting.first->added +
	    (uint64_t)ms * 1000000)
		job_ended(d, jobs_take(&d->waiting), rc, &err);
	pthread_mutex_unlock(&d->lock);
}

void
detector_quiesce(struct detector *d, bool abandon)
{
	pthread_mutex_lock(&d->lock);
	d->quiet = true;
	d->abandon = abandon;
	pthread_cond_broadcast(&d->change);
	pthread_mutex_unlock(&d->lock);
}

void
detector_state(struct detector *d, struct detector_state *state)
{
	pthread_mutex_lock(&d->lock);
	*state = (struct detector_state){ .waiting = d->waiting.n,
	    .in_flight = d->n_flight, .resets = d->resets,
	    .down = d->reopening.down };
	memcpy(state->reason, d->reopening.reason, sizeof(state->reason));
	pthread_mutex_unlock(&d->lock);
}

bool
detector_is_stuck(struct detector *d)
{
	uint64_t since;

	pthread_mutex_lock(&d->lock);
	since = d->call_since;
	pthread_mutex_unlock(&d->lock);
	return service_is_stuck(since);
}
