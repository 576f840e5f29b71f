// SPDX-License-Identifier: Apache-2.0
/* Running jobs and waiting for them: noe-abi 4.9. */
#include <stdlib.h>

#include "abi.h"

static void wait_for_ever(struct world *w) { w->timeout = -1; }
static void no_timeout(struct world *w) { w->timeout = 0; }
static void poll_once(struct world *w) { w->timeout = 0; }
static void brief(struct world *w) { w->timeout = 50; }

static int
infer_twice(struct world *w)
{
	must(w, call_job_infer_sync(w) == 0, "the first run");
	return call_job_infer_sync(w);
}

static int
waits(struct world *w)
{
	int64_t start = now_ms();
	int st = call_job_infer_sync(w);

	must(w, now_ms() - start >= 190, "waits for the device");
	return st;
}

static int called_back;

static int
callback(uint64_t job, job_status_t state)
{
	(void)job;
	(void)state;
	called_back++;
	return 0;
}

static int
no_callback(struct world *w)
{
	int st = noe.job_infer_async(w->ctx, w->job, callback);

	must(w, call_get_job_status(w) == 0, "get_job_status");
	must(w, called_back == 0, "the callback is never called");
	return st;
}

static int
async_then_wait(struct world *w)
{
	must(w, call_job_infer_async(w) == 0, "job_infer_async");
	call_get_job_status(w);
	must(w, w->status == NOE_JOB_STATUS_DONE, "done");
	return 0;
}

static int
status_is(struct world *w, int expected)
{
	int st = call_get_job_status(w);

	must(w, (int)w->status == expected, "the status");
	return st;
}

static int is_done(struct world *w) { return status_is(w, 1); }
static int is_idle(struct world *w) { return status_is(w, 3); }
static int untouched(struct world *w) { return status_is(w, 99); }

static int
waits_for_status(struct world *w)
{
	int64_t start = now_ms();
	int st;

	must(w, call_job_infer_async(w) == 0, "job_infer_async");
	st = is_done(w);
	must(w, now_ms() - start >= 190, "waits for the device");
	return st;
}

static int
done_twice(struct world *w)
{
	must(w, is_done(w) == 0, "the first time");
	w->status = (job_status_t)99;
	return is_done(w);
}

/* Two jobs are in flight, and the second is waited for first. */
static void
two_in_flight(struct world *w)
{
	uint64_t first = w->job;

	must(w, create_another(w) == 0, "a second job");
	must(w, call_job_infer_async(w) == 0, "submit the first");
	w->job = w->job2;
	must(w, call_job_infer_async(w) == 0, "submit the second");
	w->job2 = first;
}

/*
 * A wait ends when any job of the thread ends.  The library records that end,
 * and the job that the caller asked about does not have a status yet (noe-abi
 * 4.9).
 */
static int
out_of_order(struct world *w)
{
	two_in_flight(w);
	must(w, status_is(w, 0) == 0, "no status of the second yet");
	must(w, is_done(w) == 0, "the second is done");
	w->job = w->job2;
	return is_done(w);
}

static int
out_of_order_for_ever(struct world *w)
{
	two_in_flight(w);
	w->timeout = -1;
	return is_done(w);
}

/* A status that one thread's wait recorded is visible to all threads. */
static int
noted_for_all(struct world *w)
{
	two_in_flight(w);
	must(w, status_is(w, 0) == 0, "no status of the second yet");
	w->job = w->job2;
	w->timeout = 0;
	return elsewhere(w, is_done);
}

/* The library takes the end of the first job for the end of the second, which
 * then looks like an exception, although it still runs. */
static int
sync_out_of_order(struct world *w)
{
	must(w, create_another(w) == 0, "a second job");
	must(w, call_job_infer_async(w) == 0, "submit the first");
	w->job = w->job2;
	must(w, call_job_infer_sync(w) == 0x11, "the second answers 0x11");
	return is_done(w);
}

static int
sync_for_ever(struct world *w)
{
	must(w, create_another(w) == 0, "a second job");
	must(w, call_job_infer_async(w) == 0, "submit the first");
	w->job = w->job2;
	w->timeout = -1;
	return call_job_infer_sync(w);
}

/* Cleaning a job does not stop the device.  The job still ends, and whoever
 * waits at that time gets its end. */
static int
sync_after_clean(struct world *w)
{
	must(w, create_another(w) == 0, "a second job");
	must(w, call_job_infer_async(w) == 0, "submit the first");
	must(w, call_clean_job(w) == 0, "clean the first");
	w->job = w->job2;
	must(w, call_job_infer_sync(w) == 0x11, "the second answers 0x11");
	return is_done(w);
}

/* A new job gets the id of the cleaned job.  When the cleaned job ends, the
 * library takes the new job for done, although it would run for an hour. */
static int
heir(struct world *w)
{
	uint64_t first = w->job;

	must(w, call_job_infer_async(w) == 0, "submit the first");
	must(w, call_clean_job(w) == 0, "clean the first");
	must(w, call_create_job(w) == 0 && w->job == first, "the same id");
	setenv("FAKEAIPU_DELAY_MS", "3600000", 1);
	return call_job_infer_sync(w);
}

static int
other_thread(struct world *w)
{
	w->timeout = 300;
	return elsewhere(w, untouched);
}

static int
other_thread_polls(struct world *w)
{
	w->timeout = 0;
	return elsewhere(w, call_get_job_status);
}

static int
other_then_own(struct world *w)
{
	must(w, other_thread(w) == 0x23, "another thread sees nothing");
	w->timeout = LONG_MS;
	return is_done(w);
}

/* Threads that start after the submitting thread has ended: the system gives
 * them the memory of earlier threads. */
static int
later_threads(struct world *w)
{
	int st = 0x23;

	for (int i = 0; i < 20 && st == 0x23; i++) {
		must(w, call_create_job(w) == 0, "create_job");
		must(w, elsewhere(w, call_job_infer_async) == 0, "submitted");
		w->timeout = 20;
		st = elsewhere(w, untouched);
	}
	return st;
}

static int
any_thread(struct world *w)
{
	noe_global_config_hw_t hw = { false, true };

	must(w, noe.config_global(w->ctx, NOE_CONFIG_TYPE_HW, &hw) == 0,
	    "config_global");
	must(w, call_job_infer_async(w) == 0, "job_infer_async");
	return elsewhere(w, is_done);
}

/* The setting counts at the time of submission, not later. */
static int
any_thread_too_late(struct world *w)
{
	noe_global_config_hw_t hw = { false, true };

	must(w, call_job_infer_async(w) == 0, "job_infer_async");
	must(w, noe.config_global(w->ctx, NOE_CONFIG_TYPE_HW, &hw) == 0,
	    "config_global");
	return other_thread(w);
}

static int
any_thread_elsewhere(struct world *w)
{
	noe_global_config_hw_t hw = { false, true };
	context_handler_t *other;

	must(w, open_context(&other) == 0, "another context");
	must(w, noe.config_global(other, NOE_CONFIG_TYPE_HW, &hw) == 0,
	    "config_global");
	must(w, call_job_infer_async(w) == 0, "job_infer_async");
	return other_thread(w);
}

static void
null_status(struct world *w)
{
	w->data = NULL;
	w->timeout = 0;
}

/* All jobs of the stand-in take the same time, and end one after the other as
 * on one core. */
#define STAGGERED "FAKEAIPU_DELAY_MS=50 NPU_EMU_INFER_MS=50 NPU_EMU_CORES=1"
#define SLOW(ms) "FAKEAIPU_DELAY_MS=" #ms " NPU_EMU_INFER_MS=" #ms
#define AN_HOUR SLOW(3600000)

static const struct row rows[] = {
	{ "job_infer_sync: done", READY, NULL, call_job_infer_sync, 0, NULL,
	    NULL },
	{ "job_infer_sync: inputs never loaded", JOB, NULL,
	    call_job_infer_sync, 0, NULL, NULL },
	{ "job_infer_sync: again on the same job", READY, NULL, infer_twice,
	    0, NULL, NULL },
	{ "job_infer_sync: timeout 0 waits", READY, no_timeout, waits, 0,
	    NULL, SLOW(200) },
	{ "job_infer_sync: timeout -1 waits", READY, wait_for_ever, waits, 0,
	    NULL, SLOW(200) },
	{ "job_infer_sync: too slow", READY, brief, call_job_infer_sync,
	    0x23, NULL, AN_HOUR },
	{ "job_infer_sync: in flight", FLYING, NULL, call_job_infer_sync,
	    0x14, NULL, AN_HOUR },
	{ "job_infer_sync: job 0", READY, no_job, call_job_infer_sync, 0x10,
	    NULL, NULL },
	{ "job_infer_sync: job 0xffffffff", READY, small_job,
	    call_job_infer_sync, 0x10, NULL, NULL },
	{ "job_infer_sync: unknown job", READY, unknown_job,
	    call_job_infer_sync, 0x10, NULL, NULL },
	{ "job_infer_sync: cleaned job", READY, cleaned, call_job_infer_sync,
	    0x10, NULL, NULL },
	{ "job_infer_sync: graph unloaded", READY, unloaded,
	    call_job_infer_sync, 0x10, NULL, NULL },
	{ "job_infer_sync: ctx NULL", READY, no_ctx, call_job_infer_sync, 1,
	    NULL, NULL },
	{ "job_infer_sync: unknown handle", READY, stale_ctx,
	    call_job_infer_sync, 2, NULL, NULL },

	{ "job_infer_async: submitted, then waited for", READY, NULL,
	    async_then_wait, 0, NULL, SLOW(50) },
	{ "job_infer_async: no callback", READY, NULL, no_callback, 0, NULL,
	    SLOW(50) },
	{ "job_infer_async: in flight", FLYING, NULL, call_job_infer_async,
	    0x14, NULL, AN_HOUR },
	{ "job_infer_async: after a run", DONE, NULL, call_job_infer_async, 0,
	    NULL, NULL },
	{ "job_infer_async: job 0", READY, no_job, call_job_infer_async,
	    0x10, NULL, NULL },
	{ "job_infer_async: cleaned job", READY, cleaned,
	    call_job_infer_async, 0x10, NULL, NULL },
	{ "job_infer_async: ctx NULL", READY, no_ctx, call_job_infer_async,
	    1, NULL, NULL },
	{ "job_infer_async: unknown handle", READY, stale_ctx,
	    call_job_infer_async, 2, NULL, NULL },

	{ "get_job_status: never submitted, status 3", READY, poll_once,
	    is_idle, 0, NULL, NULL },
	{ "get_job_status: never submitted, with a timeout", READY, brief,
	    is_idle, 0, NULL, NULL },
	{ "get_job_status: never submitted, -1", READY, wait_for_ever,
	    call_get_job_status, HANGS, NULL, NULL },
	{ "get_job_status: in flight, polled", FLYING, poll_once, untouched,
	    0x23, NULL, AN_HOUR },
	{ "get_job_status: in flight, brief wait", FLYING, brief, untouched,
	    0x23, NULL, AN_HOUR },
	{ "get_job_status: waits with a timeout", READY, NULL,
	    waits_for_status, 0, NULL, SLOW(200) },
	{ "get_job_status: waits with -1", READY, wait_for_ever,
	    waits_for_status, 0, NULL, SLOW(200) },
	{ "get_job_status: done", DONE, poll_once, is_done, 0, NULL, NULL },
	{ "get_job_status: done, with -1", DONE, wait_for_ever, is_done, 0,
	    NULL, NULL },
	{ "get_job_status: done, asked twice", DONE, poll_once, done_twice,
	    0, NULL, NULL },
	{ "get_job_status: another of the thread's jobs ends first", READY,
	    NULL, out_of_order, 0, NULL, STAGGERED },
	{ "get_job_status: -1 waits for its own job", READY, NULL,
	    out_of_order_for_ever, 0, NULL, STAGGERED },
	{ "get_job_status: what one wait recorded is visible to all threads",
	    READY, NULL, noted_for_all, 0, NULL, NULL },
	{ "job_infer_sync: another of the thread's jobs ends first", READY,
	    NULL, sync_out_of_order, 0, NULL, NULL },
	{ "job_infer_sync: -1 waits for its own job", READY, NULL,
	    sync_for_ever, 0, NULL, NULL },
	{ "job_infer_sync: a job cleaned in flight ends first", READY, NULL,
	    sync_after_clean, 0, NULL, STAGGERED },
	{ "job_infer_sync: a cleaned job's end counts for a job with its id",
	    READY, NULL, heir, 0, NULL,
	    "FAKEAIPU_DELAY_MS=50 "
	    "NPU_EMU_FAULT=infer:1:delay=50,infer:2:delay=3600000" },
	{ "get_job_status: from another thread", FLYING, NULL, other_thread,
	    0x23, NULL, NULL },
	{ "get_job_status: polled by another thread", FLYING, NULL,
	    other_thread_polls, 0x23, NULL, NULL },
	{ "get_job_status: another thread, then the submitting thread", FLYING,
	    NULL, other_then_own, 0, NULL, NULL },
	{ "get_job_status: a thread that began after the submitter's end",
	    READY, NULL, later_threads, 0x23, NULL, NULL },
	{ "get_job_status: any thread, configured before submission", READY,
	    NULL, any_thread, 0, NULL, SLOW(50) },
	{ "get_job_status: any thread, configured too late", READY, NULL,
	    any_thread_too_late, 0x23, NULL, NULL },
	{ "get_job_status: any thread, of another context", READY, NULL,
	    any_thread_elsewhere, 0x23, NULL, NULL },
	{ "get_job_status: status NULL", DONE, no_data, call_get_job_status,
	    CRASHES, NULL, NULL },
	{ "get_job_status: status NULL, in flight", FLYING, null_status,
	    call_get_job_status, 0x23, NULL, AN_HOUR },
	{ "get_job_status: job 0", READY, no_job, call_get_job_status, 0x10,
	    NULL, NULL },
	{ "get_job_status: unknown job", READY, unknown_job,
	    call_get_job_status, 0x10, NULL, NULL },
	{ "get_job_status: cleaned job", READY, cleaned, call_get_job_status,
	    0x10, NULL, NULL },
	{ "get_job_status: graph unloaded", READY, unloaded,
	    call_get_job_status, 0x10, NULL, NULL },
	{ "get_job_status: ctx NULL", READY, no_ctx, call_get_job_status, 1,
	    NULL, NULL },
	{ "get_job_status: unknown handle", READY, stale_ctx,
	    call_get_job_status, 2, NULL, NULL },
};

TABLE(run_rows, rows);
