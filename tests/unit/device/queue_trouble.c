// SPDX-License-Identifier: Apache-2.0
/* npu_queue when frames fail, time out or hang, and when the device is lost. */
#include "queue.h"

/* One fails, and the others do not. */
static void
one_fails(const char *what, noe_status_t detail)
{
	ok(is(flow(7), "..D....") && seen.wrong == 0 &&
	    seen.cleans == seen.creates, "%s fails one frame", what);
	ok(err.detail == (int)detail, "%s: %s", what, err.msg);
}

static void
failures(void)
{
	start(1000, false, 3);
	plan.outcome[3] = NOE_JOB_STATUS_EXCEPTION;
	one_fails("an exception", NOE_STATUS_ERROR_JOB_EXCEPTION);
	start(1000, false, 3);
	plan.outcome[3] = NOE_JOB_COREDUMP;
	one_fails("a core dump", NOE_STATUS_ERROR_INVALID_COREDUMP);
	start(1000, false, 3);
	plan.load[3] = NOE_STATUS_ERROR_INVALID_OP;
	one_fails("loading", NOE_STATUS_ERROR_INVALID_OP);
	start(1000, false, 3);
	plan.submit[3] = NOE_STATUS_ERROR_JOB_DISPATCH_FAIL;
	one_fails("submitting", NOE_STATUS_ERROR_JOB_DISPATCH_FAIL);
	start(1000, false, 3);
	plan.get[3] = NOE_STATUS_ERROR_INVALID_OP;
	one_fails("getting", NOE_STATUS_ERROR_INVALID_OP);
	start(1000, true, 3);
	plan.outcome[3] = NOE_JOB_STATUS_EXCEPTION;
	one_fails("an exception, reusing", NOE_STATUS_ERROR_JOB_EXCEPTION);
	start(1000, true, 1);
	plan.outcome[2] = NOE_JOB_STATUS_EXCEPTION;
	ok(is(flow(5), ".D...") && seen.wrong == 0 && npu.reuse &&
	    seen.creates == 2, "the first that is used again fails alone");
	start(100, true, 1);
	plan.hang_run = 2;
	plan.create[2] = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	ok(is(flow(4), ".D..") && seen.wrong == 0 && !npu.reuse,
	    "one that hung, and cannot be made anew");
}

static unsigned notes;
static char last_note[200];

static void
keep_note(void *arg, const char *line)
{
	(void)arg;
	snprintf(last_note, sizeof(last_note), "%s", line);
	notes++;
}

static void
start_short(unsigned memory, bool reuse, unsigned depth)
{
	start(1000, reuse, depth);
	npu.opt.note = keep_note;
	plan.memory = memory;
	notes = 0;
}

/* So many puts and gets, as many in flight as the queue says. */
static void
run_frames(int frames)
{
	for (int n = 0; n < frames; n++) {
		while (!npu_queue_full(q))
			put();
		get();
	}
}

/* Another program's memory is freed: one more is tried after 100, and after
 * twice as many each time that it does not fit (npu.h). */
static void
memory_comes_back(void)
{
	start_short(1, false, 4);
	putn = gotn = 0;
	run_frames(99);
	ok(seen.most_out == 1 && seen.creates == putn + 1, "one at a time");
	run_frames(1 + 200 + 400 + 1);
	ok(seen.creates == putn + 1 + 3 && notes == 1, "three tries do not "
	    "fit, and are not noted");
	plan.memory = 0;
	run_frames(800 + 100 + 100);
	ok(seen.most_out == 4, "all at a time again");
	plan.memory = 2;
	run_frames(4 + 99);
	ok(notes == 1, "less is not noted a second time");
	while (gotn < putn)
		get();
	npu_queue_close(q);
	ok(seen.wrong == 0 && seen.there == 0 && strspn(answers, ".") ==
	    (size_t)gotn, "each answered");
}

/* The device has memory for fewer jobs than depth. */
static void
short_of_memory(void)
{
	start_short(0, false, 3);
	plan.create[3] = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	ok(is(flow(7), ".......") && seen.wrong == 0 && seen.there == 0,
	    "one without memory runs when another has been got");
	ok(notes == 1 && is(last_note, "the device has memory for 2 inferences "
	    "at a time, not 3"), "which is said");

	start_short(1, false, 64);
	ok(is(flow(9), ".........") && seen.wrong == 0 && seen.there == 0 &&
	    seen.creates == 10, "memory for one, where a second is tried once");
	ok(notes == 1 && is(last_note, "the device has memory for 1 inference "
	    "at a time, not 64"), "once");

	/* More than there is memory for are put. */
	start_short(2, false, 8);
	putn = gotn = 0;
	while (!npu_queue_full(q))
		put();
	ok(putn == 3, "a queue is full when one did not fit");
	while (putn < 8)
		put();
	while (gotn < 8)
		get();
	npu_queue_close(q);
	ok(is(answers, "........") && seen.wrong == 0 && seen.there == 0 &&
	    seen.most_out == 2 && notes == 1, "and answered in their order");

	start_short(2, true, 4);
	ok(is(flow(12), "............") && seen.wrong == 0 && seen.there == 0,
	    "jobs that are reused");

	/* Another program takes more meanwhile. */
	start_short(3, false, 5);
	putn = gotn = 0;
	while (putn < 5)
		put();
	plan.memory = 2;
	while (gotn < 5)
		get();
	npu_queue_close(q);
	ok(is(answers, ".....") && notes == 2 && seen.there == 0 &&
	    strstr(last_note, "for 2 inferences") != NULL, "twice less");

	memory_comes_back();

	start_short(2, false, 5);
	putn = gotn = 0;
	while (putn < 5)
		put();
	get();
	npu_queue_close(q);
	ok(seen.there == 0 && seen.wrong == 0, "closed while some wait");

	start_short(2, false, 4);
	plan.takes[0] = 20;
	putn = gotn = 0;
	while (putn < 4)
		put();
	plan.lost = true;
	while (gotn < 4)
		get();
	npu_queue_close(q);
	ok(is(answers, "NNNN"), "lost while some wait");

	/* Another call may have that status, too. */
	start_short(0, false, 3);
	plan.load[3] = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	ok(is(flow(7), "..D....") && notes == 0 && seen.wrong == 0 &&
	    seen.there == 0, "no memory to load is a failure: %s", err.msg);
	start_short(0, true, 2);
	plan.submit[2] = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	ok(is(flow(5), ".D...") && notes == 0 && seen.there == 0,
	    "and to run, reusing");

	/* Jobs that timed out have it still, but not for good. */
	start_short(2, false, 2);
	npu.opt.timeout_ms = 50;
	plan.takes[1] = 300;
	ok(is(flow(6), "TT....") && notes == 0 && seen.there == 0,
	    "memory of those that timed out comes back");

	start_short(0, false, 3);
	for (int i = 1; i < 9; i++)
		plan.create[i] = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	ok(is(flow(3), "DDD") && notes == 0 && seen.there == 0 &&
	    err.detail == NOE_STATUS_ERROR_BUF_ALLOC_FAIL,
	    "memory for none is a failure: %s", err.msg);
}

/* Polls that fail: the job may still run, so it is not cleaned. */
static void
lost_device(void)
{
	unsigned calls;

	start(1000, false, 3);
	plan.takes[0] = 20;
	plan.status[1] = NOE_STATUS_ERROR_DEV_ABNORMAL;
	ok(is(flow(6), "D.....") && seen.wrong == 0 &&
	    seen.cleans == seen.creates, "a question that fails once");

	/* A poll may fail because of any of the three in flight. */
	start(1000, false, 3);
	plan.takes[0] = 20;
	for (int i = 1; i <= 3; i++)
		plan.status[i] = NOE_STATUS_ERROR_DEV_ABNORMAL;
	ok(is(flow(6), "D.....") && seen.wrong == 0 &&
	    seen.cleans == seen.creates, "as many as jobs are out");
	start(1000, false, 3);
	plan.takes[0] = 20;
	for (int i = 1; i <= 4; i++)
		plan.status[i] = NOE_STATUS_ERROR_DEV_ABNORMAL;
	ok(is(flow(3), "NNN") && seen.wrong == 0, "more are no accident");

	/* A job that timed out is polled twice before the next can begin. */
	start(50, false, 1);
	plan.takes[1] = 300;
	putn = gotn = 0;
	put();
	get();
	plan.status[seen.statuses + 1] = NOE_STATUS_ERROR_DEV_ABNORMAL;
	plan.status[seen.statuses + 2] = NOE_STATUS_ERROR_DEV_ABNORMAL;
	put();
	get();
	npu_queue_close(q);
	ok(is(answers, "T.") && seen.wrong == 0 && seen.there == 0,
	    "nor is one of a late one");

	/* Nor if it fails when it ends. */
	start(50, false, 1);
	plan.takes[1] = 300;
	plan.outcome[1] = NOE_JOB_STATUS_EXCEPTION;
	ok(is(flow(2), "T.") && seen.wrong == 0 && seen.there == 0,
	    "nor is the failure of a late one");

	start(1000, false, 3);
	plan.takes[0] = 20;
	putn = gotn = 0;
	put();
	put();
	get();
	plan.lost = true;
	put();
	ok(get() == NPU_ENODEV && strstr(err.msg, "the device is gone, and "
	    "this queue with it: get_job_status: ") == err.msg, "%s", err.msg);
	calls = seen.creates + seen.loads + seen.submits + seen.statuses;
	put();
	ok(npu_queue_ready(q) == false, "ready does not ask it either");
	get();
	get();
	ok(is(answers, ".NNN") && calls == seen.creates + seen.loads +
	    seen.submits + seen.statuses, "nor does anything else");
	npu_queue_close(q);
	ok(seen.wrong == 0, "none is cleaned that may run");
}

/* The same for npu_run(), which shares this with the queue. */
static void
run_alone(void)
{
	uint32_t x = 1;

	fake_reset();
	npu = fake_npu(1000, false);
	plan.takes[0] = 50;
	plan.status[1] = NOE_STATUS_ERROR_DEV_ABNORMAL;
	ok(npu_run(&npu, &x, &x, &err) == NPU_EDEVICE && seen.wrong == 0 &&
	    seen.there == 0, "npu_run(): a job that may run is waited for");
	ok(npu_run(&npu, &x, &x, &err) == 0, "and the next one runs");
	plan.takes[0] = FOREVER;
	plan.lost = true;
	ok(npu_run(&npu, &x, &x, &err) == NPU_ENODEV && seen.wrong == 0 &&
	    seen.there == 1, "it is not cleaned if the device is gone");
	ok(strstr(err.msg, "the device is gone: get_job_status: ") == err.msg,
	    "%s", err.msg);
	ok(npu_run(&npu, &x, &x, &err) == NPU_ENODEV && seen.creates == 3,
	    "which is what the next one says, too");
}

static void
timed_out(void)
{
	/* The second ends at 1000 ms and is given up at 600; the third has 600
	 * ms from 1000 on, and ends at 1400. */
	start(600, false, 3);
	plan.takes[2] = 1000;
	plan.takes[3] = 400;
	ok(is(flow(6), ".T....") && seen.wrong == 0 &&
	    seen.cleans == seen.creates, "a late one fails alone");
}

/* Jobs that timed out and still run when the queue is closed are polled as
 * those in flight are. */
static void
timed_out_at_close(void)
{
	uint64_t begin;

	start(200, false, 3);
	plan.parallel = true;
	plan.takes[2] = 600;
	plan.takes[3] = 500;
	ok(is(flow(4), ".TT.") && seen.wrong == 0 &&
	    seen.cleans == seen.creates, "closing waits for the late");

	start(200, false, 3);
	plan.parallel = true;
	plan.takes[2] = FOREVER;
	plan.takes[3] = 700;
	begin = clock_ns();
	ok(is(flow(4), ".TT.") && seen.wrong == 0 && seen.there == 1 &&
	    ms_since(begin) >= 1200, "and leaves one that does not end");
	ok(ms_since(begin) < 2000, "after a second");

	start(200, false, 3);
	plan.parallel = true;
	plan.takes[3] = FOREVER;
	putn = gotn = 0;
	for (int i = 0; i < 3; i++) {
		put();
		get();
	}
	plan.lost = true;
	begin = clock_ns();
	npu_queue_close(q);
	ok(is(answers, "..T") && seen.wrong == 0 && seen.there == 1 &&
	    ms_since(begin) < 900, "or of which nothing can be learnt");
}

/* A job that never ends, in front of all others. */
static void
hung(void)
{
	uint64_t begin;

	start(60, false, 2);
	plan.takes[2] = FOREVER;
	putn = gotn = 0;
	begin = clock_ns();
	while (gotn < 3) {
		put();
		get();
	}
	ok(is(answers, ".TT") && ms_since(begin) < 900, "each has its time");
	ok(strstr(err.msg, "an earlier inference that timed out may still "
	    "occupy the NPU: no result after 0.06 s: job: ") == err.msg, "%s",
	    err.msg);
	put();
	ok(ms_since(begin) >= 1100, "then they are given a second");
	ok(get() == NPU_EDEVICE && seen.submits == 3, "%s", err.msg);
	jobs[2].end = jobs[3].end = device_free = 0;
	put();
	ok(get() == 0 && seen.wrong == 0 && seen.there == 0,
	    "and when they have ended, all goes on");
	npu_queue_close(q);
}

/* A stop, and times below 0: there is no wait. */
static void
stopped(void)
{
	static volatile sig_atomic_t stop;
	uint64_t begin;
	uint32_t got;

	start(60000, false, 1);
	plan.takes[0] = 500;
	npu.s.stop = &stop;
	putn = gotn = 0;
	put();
	begin = clock_ns();
	ok(!npu_queue_wait(q, -5) && ms_since(begin) < 400, "below 0 is 0");
	stop = 1;
	ok(!npu_queue_wait(q, 100000) && ms_since(begin) < 400,
	    "a stop is seen before the wait");
	stop = 0;
	while (!npu_queue_wait(q, 1000) && ms_since(begin) < 10000)
		;
	ok(get() == 0, "and what flies goes on");
	plan.outcome[2] = NOE_JOB_STATUS_EXCEPTION;
	put();
	ok(npu_queue_get(q, &got, NULL) == NPU_EDEVICE,
	    "a failure that nobody asks about");
	npu_queue_close(q);
}

/* While depth jobs that timed out still run, a stop ends the wait for them. */
static void
stopped_full(void)
{
	static volatile sig_atomic_t stop;

	start(20, false, 1);
	plan.takes[0] = 3000;
	npu.s.stop = &stop;
	putn = gotn = 0;
	put();
	ok(get() == NPU_ETIMEOUT && npu.n_timed_out == 1, "one is late");
	stop = 1;
	ok(put() == NPU_ESTOPPED && npu_queue_length(q) == 0,
	    "a stop while room is made: %s", err.msg);
	stop = 0;
	npu_queue_close(q);
}

int
main(void)
{
	stopped();
	stopped_full();
	failures();
	short_of_memory();
	lost_device();
	run_alone();
	timed_out();
	timed_out_at_close();
	hung();
	return done();
}
