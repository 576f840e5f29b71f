// SPDX-License-Identifier: Apache-2.0
/* npu_queue on a library and a device that do as they are told: fakenpu.h.
 * tests/queue.bats has it on the emulator. */
#include <pthread.h>

#include "fakenpu.h"
#include "tap.h"

static struct npu npu;
static struct npu_queue *q;
static struct npu_err err;

static void
start(int32_t timeout_ms, bool reuse, unsigned depth)
{
	fake_reset();
	npu = fake_npu(timeout_ms, reuse);
	err = (struct npu_err){ 0 };
	if (npu_queue_open(&q, &npu, depth, &err) < 0)
		ok(false, "a queue opens: %s", err.msg);
}

static void
pause_ms(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

static uint64_t
ms_since(uint64_t begin)
{
	return (clock_ns() - begin) / 1000000;
}

/* What get answers for the frames put so far, one letter each: '.' the right
 * bytes, 'x' others, 'D', 'T', 'N' EDEVICE, ETIMEOUT, ENODEV, '?' another. */
static char answers[JOBS + 1];
static uint32_t putn, gotn;

static int
put(void)
{
	uint32_t in = ++putn * 0x01010101u;
	int rc = npu_queue_put(q, &in, &err);

	in = 0;			/* the bytes were taken */
	return rc;
}

static int
get(void)
{
	uint32_t got = 0;
	int rc = npu_queue_get(q, &got, &err);

	if (rc == NPU_ESTOPPED)
		return rc;
	answers[gotn] = rc == NPU_EDEVICE ? 'D' : rc == NPU_ETIMEOUT ? 'T' :
	    rc == NPU_ENODEV ? 'N' : rc < 0 ? '?' :
	    got == (gotn + 1) * 0x01010101u ? '.' : 'x';
	answers[++gotn] = '\0';
	return rc;
}

/* frames through it, as full as it gets; then it is closed. */
static const char *
flow(unsigned frames)
{
	putn = gotn = 0;
	while (gotn < frames) {
		while (putn < frames && !npu_queue_full(q))
			if (put() < 0)
				return err.msg;
		get();
	}
	npu_queue_close(q);
	return answers;
}

static bool
is(const char *got, const char *want)
{
	if (strcmp(got, want) == 0)
		return true;
	diag("%s", got);
	diag("%s", err.msg);
	return false;
}

static void
overlap(void)
{
	start(1000, false, 0);
	plan.takes[0] = 8;
	ok(is(flow(9), "........."), "nine results in order");
	ok(seen.most_out == 3, "three in flight: %u", seen.most_out);
	ok(seen.made_meanwhile == 8 && seen.loaded_meanwhile == 8,
	    "all but the first were made and loaded while one ran");
	ok(seen.creates == 9 && seen.cleans == 9 && seen.wrong == 0,
	    "each has a job of its own, which is cleaned");
	ok(seen.most_there == 3, "three jobs at a time: %u", seen.most_there);

	start(1000, false, 1);
	ok(is(flow(3), "...") && seen.most_out == 1, "one at a time");

	/* The second ends first: its end wakes the wait for the first. */
	start(1000, false, 3);
	plan.parallel = true;
	plan.takes[1] = 30;
	plan.takes[2] = plan.takes[3] = 5;
	ok(is(flow(5), ".....") && seen.wrong == 0,
	    "in order, whichever ends first");
}

static void *
other_thread(void *rc)
{
	uint32_t in = 0;

	((int *)rc)[0] = npu_queue_put(q, &in, NULL);
	((int *)rc)[1] = npu_queue_get(q, &in, NULL);
	((int *)rc)[2] = npu_queue_ready(q);
	return NULL;
}

static void
refusals(void)
{
	struct npu_queue *second;
	uint64_t submitted, begin;
	uint32_t x = 7;
	pthread_t t;
	int rc[3];

	start(1000, false, 2);
	plan.takes[0] = 500;
	ok(npu_queue_get(q, &x, &err) == NPU_EUSAGE, "%s", err.msg);
	ok(npu_queue_open(&second, &npu, 2, &err) == NPU_EUSAGE, "%s", err.msg);
	ok(npu_run(&npu, &x, &x, &err) == NPU_EUSAGE, "%s", err.msg);
	ok(!npu_queue_ready(q) && !npu_queue_full(q), "nothing, not full");
	submitted = clock_ns();
	put();
	put();
	ok(npu_queue_full(q) && npu_queue_waiting(q) == 2 && out(1) == 2,
	    "putting does not wait");
	ok(put() == NPU_EUSAGE && npu_queue_waiting(q) == 2, "%s", err.msg);
	ok(!npu_queue_ready(q), "not ready while it runs");
	begin = clock_ns();
	ok(!npu_queue_wait(q, 50) && ms_since(begin) >= 50 &&
	    ms_since(begin) < 450, "waits so long");
	ok(!npu_queue_wait(q, 5000) && ms_since(begin) < 450,
	    "and no longer than 100 ms");
	while (ms_since(begin) < 10000 && !npu_queue_wait(q, 5000))
		;
	ok(npu_queue_ready(q) && ms_since(submitted) >= 500,
	    "ready when it has ended");
	pthread_create(&t, NULL, other_thread, rc);
	pthread_join(t, NULL);
	ok(rc[0] == NPU_EUSAGE && rc[1] == NPU_EUSAGE && rc[2] == 0,
	    "another thread is refused");
	npu_queue_close(q);
	ok(npu_run(&npu, &x, &x, &err) == 0, "npu_run() after the queue");
	ok(npu_queue_open(&q, &npu, 65, &err) == NPU_EUSAGE, "%s", err.msg);
	npu_queue_close(NULL);
}

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
	plan.create[3] = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	one_fails("no memory", NOE_STATUS_ERROR_BUF_ALLOC_FAIL);
	ok(strstr(err.msg, "with 2 more in flight: create_job: ") == err.msg,
	    "and says how many are in flight");
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
}

/* Questions that fail: the job may run on, so it is not cleaned. */
static void
lost_device(void)
{
	unsigned calls;

	start(1000, false, 3);
	plan.takes[0] = 20;
	plan.status[1] = NOE_STATUS_ERROR_DEV_ABNORMAL;
	ok(is(flow(6), "D.....") && seen.wrong == 0 &&
	    seen.cleans == seen.creates, "a question that fails once");

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
	ok(npu_run(&npu, &x, &x, &err) == NPU_ENODEV && seen.wrong == 0 &&
	    seen.there == 0, "npu_run(): a job that may run is waited for");
	plan.takes[0] = FOREVER;
	plan.lost = true;
	ok(npu_run(&npu, &x, &x, &err) == NPU_ENODEV && seen.wrong == 0 &&
	    seen.there == 1, "and is not cleaned if the device is gone");
	ok(npu_run(&npu, &x, &x, &err) == NPU_ENODEV && seen.creates == 2,
	    "which is what the next one says, too");
}

static void
behind_others(void)
{
	/* 3 x 100 ms in line, and 200 ms for each. */
	start(200, false, 3);
	plan.takes[0] = 100;
	ok(is(flow(5), "....."), "waiting behind others is no timeout");

	start(100, false, 3);
	plan.takes[0] = 50;
	putn = gotn = 0;
	put();
	put();
	put();
	pause_ms(400);
	get();
	get();
	get();
	npu_queue_close(q);
	ok(is(answers, "..."), "nor is a caller who comes late");
}

static void
late(void)
{
	/* The second ends at 1000 ms and is given up at 600; the third has 600
	 * ms from 1000 on, and ends at 1400. */
	start(600, false, 3);
	plan.takes[2] = 1000;
	plan.takes[3] = 400;
	ok(is(flow(6), ".T....") && seen.wrong == 0 &&
	    seen.cleans == seen.creates, "a late one fails alone");
}

/* Late ones that still run when the queue is closed: they are looked at as
 * those in flight are. */
static void
late_at_the_end(void)
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

/* One that never ends, in front of all others. */
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

static volatile sig_atomic_t stop;

static void *
stop_soon(void *unused)
{
	pause_ms(150);
	stop = 1;
	return unused;
}

static void
stopping(void)
{
	uint64_t begin = clock_ns();
	pthread_t t;

	start(-1, false, 3);
	npu.s.stop = &stop;
	plan.takes[1] = 1500;
	putn = gotn = 0;
	put();
	put();
	pthread_create(&t, NULL, stop_soon, NULL);
	ok(get() == NPU_ESTOPPED && npu_queue_waiting(q) == 2, "%s", err.msg);
	ok(ms_since(begin) < 700, "soon: %d ms", (int)ms_since(begin));
	pthread_join(t, NULL);
	stop = 0;
	get();
	get();
	ok(is(answers, ".."), "the frames can be got later");
	npu_queue_close(q);
}

static void
closing(void)
{
	uint64_t begin = clock_ns();
	uint32_t x = 0;

	start(1000, false, 3);
	plan.takes[0] = 50;
	putn = 0;
	put();
	put();
	put();
	npu_queue_close(q);
	ok(seen.wrong == 0 && seen.cleans == 3 && ms_since(begin) < 900,
	    "closing lets what runs end");

	start(100, false, 3);
	plan.takes[2] = FOREVER;
	begin = clock_ns();
	put();
	put();
	put();
	npu_queue_close(q);
	ok(seen.cleans == 1 && seen.wrong == 0 && ms_since(begin) < 1900,
	    "but not for ever, and cleans none that runs");
	ok(npu_run(&npu, &x, &x, &err) == NPU_EDEVICE, "%s", err.msg);
	/* It ends while it is given its second. */
	jobs[2].end = jobs[3].end = clock_ns() + 300000000;
	device_free = 0;
	ok(npu_run(&npu, &x, &x, &err) == 0 && seen.there == 0 &&
	    seen.wrong == 0, "until it has ended");
}

static unsigned notes;

static void
count_note(void *arg, const char *line)
{
	(void)arg;
	diag("%s", line);
	notes++;
}

static void
reuse(void)
{
	start(1000, true, 3);
	plan.takes[0] = 5;
	ok(is(flow(12), "............") && seen.wrong == 0, "reused jobs");
	ok(seen.creates <= 6 && seen.most_there == 3 && seen.there == 0,
	    "made %u, three at a time, cleaned", seen.creates);

	/* The second run of a job hangs: one wait tells. */
	start(200, true, 3);
	npu.opt.note = count_note;
	plan.hang_run = 2;
	ok(is(flow(9), ".........") && seen.wrong == 0,
	    "falls back to fresh jobs on 0x23");
	ok(notes == 1 && seen.most_reused_out == 1 && seen.there == 1,
	    "after one trial, of which a note tells");
	ok(!npu.reuse, "and stays with them");

	start(200, true, 3);
	npu.opt.note = count_note;
	plan.hang_from = 20;
	ok(is(flow(30), "..............................") && seen.wrong == 0 &&
	    seen.there == 3 && notes == 2, "and when all hang, later");
}

/* What is started again does not time out because of those that it now stands
 * behind. */
static void
started_again(void)
{
	start(200, true, 3);
	plan.hang_run = 2;
	plan.takes[3] = plan.takes[4] = 250;
	putn = gotn = 0;
	put();
	get();
	put();			/* hangs; the others end at 500 ms */
	put();
	put();
	get();
	get();
	get();
	npu_queue_close(q);
	ok(is(answers, "...."), "one started again has the time of all");
}

int
main(void)
{
	overlap();
	refusals();
	failures();
	lost_device();
	run_alone();
	behind_others();
	late();
	late_at_the_end();
	hung();
	stopping();
	closing();
	reuse();
	started_again();
	return done();
}
