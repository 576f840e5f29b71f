// SPDX-License-Identifier: Apache-2.0
/* Tests npu_run(), one inference after the other, with fakenpu.h. */
#include "device/frame.h"
#include "queue.h"

static char notes[200];

static void
note(void *arg, const char *text)
{
	(void)arg;
	snprintf(notes, sizeof(notes), "%s", text);
}

static void
begin(int32_t timeout_ms, bool reuse)
{
	fake_reset();
	npu = fake_npu(timeout_ms, reuse);
	npu.opt.note = note;
	notes[0] = '\0';
}

/* Runs the frames, and returns a letter for each result, as in queue.h. */
static const char *
runs(unsigned frames)
{
	for (gotn = 0; gotn < frames;) {
		uint32_t in = (gotn + 1) * 0x01010101u, out = 0;
		int rc = npu_run(&npu, &in, &out, &err);

		answers[gotn++] = rc == NPU_EDEVICE ? 'D' :
		    rc == NPU_ETIMEOUT ? 'T' : rc == NPU_ESTOPPED ? 'S' :
		    rc < 0 ? '?' : out == in ? '.' : 'x';
	}
	answers[gotn] = '\0';
	return answers;
}

/* Each inference has a job of its own, or all inferences have one job. */
static void
sound(void)
{
	begin(1000, false);
	ok(is(runs(4), "....") && seen.creates == 4 && seen.cleans == 4,
	    "without reuse, each inference has its own job, which is cleaned");
	begin(1000, true);
	ok(is(runs(4), "....") && seen.creates == 1 && seen.cleans == 0 &&
	    npu.proven, "with reuse, all inferences have one job");
	job_clean(&npu.s, npu.kept);
}

/* npu.h: err may be NULL. */
static void
unread(void)
{
	uint32_t in = 7, out = 0;

	begin(1000, false);
	ok(npu_run(&npu, &in, &out, NULL) == 0 && out == in,
	    "npu_run() succeeds if err is NULL");
	begin(1000, false);
	plan.outcome[1] = NOE_JOB_STATUS_EXCEPTION;
	ok(npu_run(&npu, &in, &out, NULL) == NPU_EDEVICE,
	    "npu_run() fails if err is NULL");
}

/* A failure that a retry overcame leaves no error behind. */
static void
overcome(void)
{
	uint32_t in = 7, out = 0;

	begin(50, true);
	plan.hang_run = 2;
	npu_run(&npu, &in, &out, NULL);
	err = (struct npu_err){ 0 };
	ok(npu_run(&npu, &in, &out, &err) == 0 && out == in && !npu.reuse &&
	    err.code == 0 && err.detail == 0 && err.msg[0] == '\0',
	    "after a successful retry, *err is empty: %d '%s'",
	    err.code, err.msg);
}

static void *
elsewhere(void *arg)
{
	uint32_t in = 7, out = 0;

	*(int *)arg = npu_run(&npu, &in, &out, &err);
	return NULL;
}

/* Mistakes of the caller, which must not reach the library. */
static void
misused(void)
{
	uint32_t x = 7;
	pthread_t t;
	int rc = 0;

	begin(1000, false);
	ok(npu_run(&npu, NULL, &x, &err) == NPU_EUSAGE,
	    "npu_run() without an input is refused: %s", err.msg);
	ok(npu_run(&npu, &x, NULL, &err) == NPU_EUSAGE,
	    "npu_run() without an output buffer is refused: %s", err.msg);
	pthread_create(&t, NULL, elsewhere, &rc);
	pthread_join(t, NULL);
	ok(rc == NPU_EUSAGE && strstr(err.msg, "another thread") != NULL,
	    "npu_run() in another thread is refused: %s",
	    err.msg);
	ok(seen.creates == 0, "no job is made for a refused call");
}

/* An inference fails, and the next inference has a new job. */
static void
fails(void)
{
	begin(1000, true);
	plan.outcome[2] = NOE_JOB_STATUS_EXCEPTION;
	ok(is(runs(4), ".D..") && seen.creates == 2 && seen.cleans == 1,
	    "after an exception, the job is cleaned and the next inference has "
	    "a new job");
	begin(1000, true);
	plan.create[1] = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	ok(is(runs(2), "D.") && seen.cleans == 1, "if the first job has no "
	    "memory, the next inference has a new job");
	begin(1000, true);
	plan.submit[1] = NOE_STATUS_ERROR_JOB_DISPATCH_FAIL;
	ok(is(runs(2), "D.") && seen.cleans == 1, "if the device does not "
	    "accept a job, the next inference has a new job");
	begin(30, true);
	plan.takes[1] = 100;
	ok(is(runs(2), "T.") && notes[0] == '\0',
	    "a timeout in the first run of a job gives no note about reuse");
}

/* A driver that does not run a job twice: the frame runs again, as a new
 * job. */
static void
hangs(void)
{
	begin(50, true);
	plan.hang_run = 2;
	ok(is(runs(4), "....") && !npu.reuse && seen.creates == 4,
	    "if the second run of a job hangs, jobs are not reused any more");
	ok(strstr(notes, "does not run a job twice (0x23)") != NULL, "a note "
	    "reports that the driver does not run a job twice: %s",
	    notes);
}

/* The next inference waits for a job that timed out. */
static void
timed_out(void)
{
	static volatile sig_atomic_t stop;

	begin(30, false);
	plan.takes[1] = 2500;
	npu.s.stop = &stop;
	ok(is(runs(1), "T") && npu.n_timed_out == 1, "a job that takes too "
	    "long times out and is kept");
	stop = 1;
	ok(is(runs(1), "S"), "a stop ends the wait for a job that timed out");
	stop = 0;
	plan.lost = true;
	ok(is(runs(1), "?"), "a lost device ends the wait for a job that timed "
	    "out");
	plan.lost = false;
}

static void
queued(void)
{
	start(1000, false, 2);
	ok(is(runs(1), "?") && strstr(err.msg, "a queue is open") != NULL,
	    "while a queue is open, npu_run() is refused");
	npu_queue_close(q);

	begin(1000, true);
	runs(1);
	ok(npu_queue_open(&q, &npu, 1, &err) == 0 && seen.there == 0,
	    "opening a queue frees the memory of the kept job");
	npu_queue_close(q);
	ok(is(runs(2), "..") && seen.creates == 2 && seen.wrong == 0,
	    "after the queue is closed, npu_run() makes its job again");
	job_clean(&npu.s, npu.kept);
}

/* The first reuse of a job is a trial with its own limit if the timeout is
 * long, or if there is none. */
static void
trial(void)
{
	struct frame f = { .used = true };

	begin(-1, true);
	ok(frame_timeout(&npu, &f) == 10000,
	    "without a timeout, a reused job has 10 s");
	npu.opt.timeout_ms = 60000;
	ok(frame_timeout(&npu, &f) == 10000,
	    "with a timeout of a minute, a reused job has 10 s");
	npu.opt.timeout_ms = 500;
	ok(frame_timeout(&npu, &f) == 500,
	    "with a timeout of 0.5 s, a reused job has 0.5 s");
	f.used = false;
	npu.opt.timeout_ms = -1;
	ok(frame_timeout(&npu, &f) == -1,
	    "without a timeout, a fresh job has no limit");
}

static void
ports(void)
{
	begin(1000, false);
	ok(npu_input(&npu, 0) == &fake_tensor && npu_input(&npu, 1) == NULL,
	    "npu_input() returns the first input, and NULL for a second");
	ok(npu_output(&npu, 0) == &fake_tensor && npu_output(&npu, 1) == NULL,
	    "npu_output() returns the first output, and NULL for a second");
}

int
main(void)
{
	sound();
	unread();
	overcome();
	misused();
	fails();
	hangs();
	timed_out();
	queued();
	trial();
	ports();
	return done();
}
