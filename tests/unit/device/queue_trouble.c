// SPDX-License-Identifier: Apache-2.0
/* Tests npu_queue when frames fail, time out or hang, and when the device is
 * lost. */
#include "queue.h"

/* Checks that one frame fails and the other frames do not. */
static void
one_fails(const char *what, noe_status_t detail)
{
	ok(is(flow(7), "..D....") && seen.wrong == 0 &&
	    seen.cleans == seen.creates, "%s: only one frame fails", what);
	ok(err.detail == (int)detail,
	    "%s has the status of the failed call: %s", what, err.msg);
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
	    seen.creates == 2,
	    "if a job's second run has an exception, only this frame fails");
	start(100, true, 1);
	plan.hang_run = 2;
	plan.create[2] = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	ok(is(flow(4), ".D..") && seen.wrong == 0 && !npu.reuse,
	    "if a job hangs and a fresh job cannot be made, only this frame "
	    "fails");
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

/* Puts and gets the frames, as many in flight as the queue accepts. */
static void
run_frames(int frames)
{
	for (int n = 0; n < frames; n++) {
		while (!npu_queue_full(q))
			put();
		get();
	}
}

/* Another program frees memory.  The queue tries one more job after 100 frames,
 * and after twice as many each time the job does not fit (npu.h). */
static void
memory_comes_back(void)
{
	start_short(1, false, 4);
	putn = gotn = 0;
	run_frames(99);
	ok(seen.most_out == 1 && seen.creates == putn + 1,
	    "with memory for one job, one job at a time runs");
	run_frames(1 + 200 + 400 + 1);
	ok(seen.creates == putn + 1 + 3 && notes == 1,
	    "three tries of a second job fail and give no note");
	plan.memory = 0;
	run_frames(800 + 100 + 100);
	ok(seen.most_out == 4,
	    "when the memory is back, four jobs run at a time again");
	plan.memory = 2;
	run_frames(4 + 99);
	ok(notes == 1, "when memory is short again, there is no second note");
	while (gotn < putn)
		get();
	npu_queue_close(q);
	ok(seen.wrong == 0 && seen.there == 0 && strspn(answers, ".") ==
	    (size_t)gotn,
	    "each frame has its result, and all jobs are cleaned");
}

/* The device has memory for fewer jobs than the queue's depth. */
static void
short_of_memory(void)
{
	start_short(0, false, 3);
	plan.create[3] = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	ok(is(flow(7), ".......") && seen.wrong == 0 && seen.there == 0,
	    "a frame whose job has no memory runs after a result was fetched");
	ok(notes == 1 && is(last_note, "the device has memory for 2 inferences "
	    "at a time, not 3"), "a note gives the number of inferences that "
	    "fit");

	start_short(1, false, 64);
	ok(is(flow(9), ".........") && seen.wrong == 0 && seen.there == 0 &&
	    seen.creates == 10,
	    "with memory for one job, a second job is tried once");
	ok(notes == 1 && is(last_note, "the device has memory for 1 inference "
	    "at a time, not 64"), "the lack of memory is noted once");

	/* More frames are put than jobs fit into the memory. */
	start_short(2, false, 8);
	putn = gotn = 0;
	while (!npu_queue_full(q))
		put();
	ok(putn == 3, "the queue is full when a job did not fit");
	while (putn < 8)
		put();
	while (gotn < 8)
		get();
	npu_queue_close(q);
	ok(is(answers, "........") && seen.wrong == 0 && seen.there == 0 &&
	    seen.most_out == 2 && notes == 1,
	    "frames beyond the memory get their results in order");

	start_short(2, true, 4);
	ok(is(flow(12), "............") && seen.wrong == 0 && seen.there == 0,
	    "reused jobs give all results when memory is short");

	/* Another program takes more memory meanwhile. */
	start_short(3, false, 5);
	putn = gotn = 0;
	while (putn < 5)
		put();
	plan.memory = 2;
	while (gotn < 5)
		get();
	npu_queue_close(q);
	ok(is(answers, ".....") && notes == 2 && seen.there == 0 &&
	    strstr(last_note, "for 2 inferences") != NULL, "when the memory "
	    "shrinks twice, there are two notes");

	memory_comes_back();

	start_short(2, false, 5);
	putn = gotn = 0;
	while (putn < 5)
		put();
	get();
	npu_queue_close(q);
	ok(seen.there == 0 && seen.wrong == 0,
	    "closing a queue with waiting frames frees everything");

	start_short(2, false, 4);
	plan.takes[0] = 20;
	putn = gotn = 0;
	while (putn < 4)
		put();
	plan.lost = true;
	while (gotn < 4)
		get();
	npu_queue_close(q);
	ok(is(answers, "NNNN"), "if the device is lost, waiting frames fail "
	    "with NPU_ENODEV");

	/* Other calls may fail with the same status. */
	start_short(0, false, 3);
	plan.load[3] = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	ok(is(flow(7), "..D....") && notes == 0 && seen.wrong == 0 &&
	    seen.there == 0,
	    "if loading has no memory, only this frame fails: %s", err.msg);
	start_short(0, true, 2);
	plan.submit[2] = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	ok(is(flow(5), ".D...") && notes == 0 && seen.there == 0,
	    "if submitting has no memory, only this frame fails, with reuse");

	/* Jobs that timed out hold their memory, but not for ever. */
	start_short(2, false, 2);
	npu.opt.timeout_ms = 50;
	plan.takes[1] = 300;
	ok(is(flow(6), "TT....") && notes == 0 && seen.there == 0,
	    "the memory of jobs that timed out is used again");

	start_short(0, false, 3);
	for (int i = 1; i < 9; i++)
		plan.create[i] = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	ok(is(flow(3), "DDD") && notes == 0 && seen.there == 0 &&
	    err.detail == NOE_STATUS_ERROR_BUF_ALLOC_FAIL,
	    "with memory for no job at all, all frames fail: %s", err.msg);
}

/* Queries that fail.  The job may still run and is therefore not cleaned. */
static void
lost_device(void)
{
	unsigned calls;

	start(1000, false, 3);
	plan.takes[0] = 20;
	plan.status[1] = NOE_STATUS_ERROR_DEV_ABNORMAL;
	ok(is(flow(6), "D.....") && seen.wrong == 0 &&
	    seen.cleans == seen.creates,
	    "if one query fails, only one frame fails");

	/* A query may fail because of any of the three jobs in flight. */
	start(1000, false, 3);
	plan.takes[0] = 20;
	for (int i = 1; i <= 3; i++)
		plan.status[i] = NOE_STATUS_ERROR_DEV_ABNORMAL;
	ok(is(flow(6), "D.....") && seen.wrong == 0 &&
	    seen.cleans == seen.creates, "if as many queries fail as jobs are "
	    "in flight, only one frame fails");
	start(1000, false, 3);
	plan.takes[0] = 20;
	for (int i = 1; i <= 4; i++)
		plan.status[i] = NOE_STATUS_ERROR_DEV_ABNORMAL;
	ok(is(flow(3), "NNN") && seen.wrong == 0, "if more queries fail, the "
	    "device is lost");

	/* A job that timed out is queried twice before the next job can
	 * begin. */
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
	    "failed queries for a job that timed out do not fail the next "
	    "frame");

	/* The late job ends with an exception. */
	start(50, false, 1);
	plan.takes[1] = 300;
	plan.outcome[1] = NOE_JOB_STATUS_EXCEPTION;
	ok(is(flow(2), "T.") && seen.wrong == 0 && seen.there == 0,
	    "an exception of a job that timed out does not fail the next "
	    "frame");

	start(1000, false, 3);
	plan.takes[0] = 20;
	putn = gotn = 0;
	put();
	put();
	get();
	plan.lost = true;
	put();
	ok(get() == NPU_ENODEV && strstr(err.msg, "the device is gone, and "
	    "this queue with it: get_job_status: ") == err.msg,
	    "npu_queue_get() reports that the device is lost: %s", err.msg);
	calls = seen.creates + seen.loads + seen.submits + seen.statuses;
	put();
	ok(npu_queue_ready(q) == false,
	    "after the loss, npu_queue_ready() returns false");
	get();
	get();
	ok(is(answers, ".NNN") && calls == seen.creates + seen.loads +
	    seen.submits + seen.statuses,
	    "after the loss, the queue makes no calls, and all gets fail");
	npu_queue_close(q);
	ok(seen.wrong == 0, "after the loss, no job that may run is cleaned");
}

/* Tests the same with npu_run(), which shares this code with the queue. */
static void
run_alone(void)
{
	uint32_t x = 1;

	fake_reset();
	npu = fake_npu(1000, false);
	plan.takes[0] = 50;
	plan.status[1] = NOE_STATUS_ERROR_DEV_ABNORMAL;
	ok(npu_run(&npu, &x, &x, &err) == NPU_EDEVICE && seen.wrong == 0 &&
	    seen.there == 0, "npu_run() waits for a job whose query failed");
	ok(npu_run(&npu, &x, &x, &err) == 0,
	    "after a failed query, the next npu_run() succeeds");
	plan.takes[0] = FOREVER;
	plan.lost = true;
	ok(npu_run(&npu, &x, &x, &err) == NPU_ENODEV && seen.wrong == 0 &&
	    seen.there == 1,
	    "if the device is lost, npu_run() does not clean the job");
	ok(strstr(err.msg, "the device is gone: get_job_status: ") == err.msg,
	    "npu_run() reports that the device is lost: %s", err.msg);
	ok(npu_run(&npu, &x, &x, &err) == NPU_ENODEV && seen.creates == 3,
	    "after the loss, the next npu_run() fails in the same way");
}

static void
timed_out(void)
{
	/* The second job times out at 600 ms and ends at 1000 ms.  The third
	 * job has 600 ms from then on and ends at 1400 ms. */
	start(600, false, 3);
	plan.takes[2] = 1000;
	plan.takes[3] = 400;
	ok(is(flow(6), ".T....") && seen.wrong == 0 &&
	    seen.cleans == seen.creates,
	    "a job that times out fails only its own frame");
}

/* Jobs that timed out and still run when the queue is closed are queried in the
 * same way as jobs in flight. */
static void
timed_out_at_close(void)
{
	uint64_t begin;

	start(200, false, 3);
	plan.parallel = true;
	plan.takes[2] = 600;
	plan.takes[3] = 500;
	ok(is(flow(4), ".TT.") && seen.wrong == 0 &&
	    seen.cleans == seen.creates,
	    "closing waits for jobs that timed out");

	start(200, false, 3);
	plan.parallel = true;
	plan.takes[2] = FOREVER;
	plan.takes[3] = 700;
	begin = clock_ns();
	ok(is(flow(4), ".TT.") && seen.wrong == 0 && seen.there == 1 &&
	    ms_since(begin) >= 1200,
	    "closing does not clean a job that does not end");
	ok(ms_since(begin) < 2000, "closing gives up after a second");

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
	    ms_since(begin) < 900,
	    "closing does not wait for a job of a lost device");
}

/* A job that never ends, before all other jobs. */
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
	ok(is(answers, ".TT") && ms_since(begin) < 900, "each frame behind a "
	    "hung job times out after its own time");
	ok(strstr(err.msg, "an earlier inference that timed out may still "
	    "occupy the NPU: no result after 0.06 s: job: ") == err.msg, "the "
	    "message of a frame behind a hung job names the cause: %s",
	    err.msg);
	put();
	ok(ms_since(begin) >= 1100,
	    "npu_queue_put() waits a second for jobs that timed out");
	ok(get() == NPU_EDEVICE && seen.submits == 3,
	    "a frame fails if the late jobs do not end in time: %s", err.msg);
	jobs[2].end = jobs[3].end = device_free = 0;
	put();
	ok(get() == 0 && seen.wrong == 0 && seen.there == 0,
	    "when the late jobs have ended, the queue works again");
	npu_queue_close(q);
}

/* With the stop flag set, or a time below 0, npu_queue_wait() does not wait. */
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
	ok(!npu_queue_wait(q, -5) && ms_since(begin) < 400,
	    "npu_queue_wait() with a time below 0 does not wait");
	stop = 1;
	ok(!npu_queue_wait(q, 100000) && ms_since(begin) < 400,
	    "npu_queue_wait() sees the stop flag before it waits");
	stop = 0;
	while (!npu_queue_wait(q, 1000) && ms_since(begin) < 10000)
		;
	ok(get() == 0, "after a stop, the job in flight goes on and succeeds");
	plan.outcome[2] = NOE_JOB_STATUS_EXCEPTION;
	put();
	ok(npu_queue_get(q, &got, NULL) == NPU_EDEVICE,
	    "npu_queue_get() returns a failure if err is NULL");
	npu_queue_close(q);
}

/* While as many late jobs as the depth still run, a stop ends the wait for
 * them. */
static void
stopped_full(void)
{
	static volatile sig_atomic_t stop;

	start(20, false, 1);
	plan.takes[0] = 3000;
	npu.s.stop = &stop;
	putn = gotn = 0;
	put();
	ok(get() == NPU_ETIMEOUT && npu.n_timed_out == 1,
	    "a job that takes too long times out and is kept");
	stop = 1;
	ok(put() == NPU_ESTOPPED && npu_queue_length(q) == 0,
	    "a stop ends the wait of npu_queue_put() for late jobs: %s",
	    err.msg);
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
