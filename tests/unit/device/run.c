// SPDX-License-Identifier: Apache-2.0
/* npu_run(), one inference after the other, on fakenpu.h. */
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

/* The answers to so many runs, a letter each, as in queue.h. */
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

/* A job of its own for each, or one for all. */
static void
sound(void)
{
	begin(1000, false);
	ok(is(runs(4), "....") && seen.creates == 4 && seen.cleans == 4,
	    "a job for each");
	begin(1000, true);
	ok(is(runs(4), "....") && seen.creates == 1 && seen.cleans == 0 &&
	    npu.proven, "one for all");
	job_clean(&npu.s, npu.kept);
}

/* npu.h: err may be NULL. */
static void
unread(void)
{
	uint32_t in = 7, out = 0;

	begin(1000, false);
	ok(npu_run(&npu, &in, &out, NULL) == 0 && out == in,
	    "without a place for errors");
	begin(1000, false);
	plan.outcome[1] = NOE_JOB_STATUS_EXCEPTION;
	ok(npu_run(&npu, &in, &out, NULL) == NPU_EDEVICE, "and one of them");
}

/* What was overcome leaves no error behind. */
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
	    "no error after a retry: %d '%s'", err.code, err.msg);
}

static void *
elsewhere(void *arg)
{
	uint32_t in = 7, out = 0;

	*(int *)arg = npu_run(&npu, &in, &out, &err);
	return NULL;
}

/* Mistakes that would reach the library. */
static void
misused(void)
{
	uint32_t x = 7;
	pthread_t t;
	int rc = 0;

	begin(1000, false);
	ok(npu_run(&npu, NULL, &x, &err) == NPU_EUSAGE, "%s", err.msg);
	ok(npu_run(&npu, &x, NULL, &err) == NPU_EUSAGE, "%s", err.msg);
	pthread_create(&t, NULL, elsewhere, &rc);
	pthread_join(t, NULL);
	ok(rc == NPU_EUSAGE && strstr(err.msg, "another thread") != NULL, "%s",
	    err.msg);
	ok(seen.creates == 0, "no job was made");
}

/* One fails, and the next has a new job. */
static void
fails(void)
{
	begin(1000, true);
	plan.outcome[2] = NOE_JOB_STATUS_EXCEPTION;
	ok(is(runs(4), ".D..") && seen.creates == 2 && seen.cleans == 1,
	    "an exception costs the job");
	begin(1000, true);
	plan.create[1] = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	ok(is(runs(2), "D.") && seen.cleans == 1, "no memory for a job");
	begin(1000, true);
	plan.submit[1] = NOE_STATUS_ERROR_JOB_DISPATCH_FAIL;
	ok(is(runs(2), "D.") && seen.cleans == 1, "one not taken");
	begin(30, true);
	plan.takes[1] = 100;
	ok(is(runs(2), "T.") && notes[0] == '\0',
	    "the first of a job that is late says nothing of reuse");
}

/* A driver that runs no job twice: the frame is run again, by a new one. */
static void
hangs(void)
{
	begin(50, true);
	plan.hang_run = 2;
	ok(is(runs(4), "....") && !npu.reuse && seen.creates == 4,
	    "a second run that hangs is given up");
	ok(strstr(notes, "does not run a job twice (0x23)") != NULL, "%s",
	    notes);
}

/* A job that timed out is waited for before the next. */
static void
timed_out(void)
{
	static volatile sig_atomic_t stop;

	begin(30, false);
	plan.takes[1] = 2500;
	npu.s.stop = &stop;
	ok(is(runs(1), "T") && npu.n_timed_out == 1, "one is late");
	stop = 1;
	ok(is(runs(1), "S"), "a stop ends the wait for it");
	stop = 0;
	plan.lost = true;
	ok(is(runs(1), "?"), "a device that is lost, too");
	plan.lost = false;
}

static void
queued(void)
{
	start(1000, false, 2);
	ok(is(runs(1), "?") && strstr(err.msg, "a queue is open") != NULL,
	    "not while a queue is open");
	npu_queue_close(q);

	begin(1000, true);
	runs(1);
	ok(npu_queue_open(&q, &npu, 1, &err) == 0 && seen.there == 0,
	    "a queue has the memory of the job that was kept");
	npu_queue_close(q);
	ok(is(runs(2), "..") && seen.creates == 2 && seen.wrong == 0,
	    "which is made again");
	job_clean(&npu.s, npu.kept);
}

/* A used job has a limit of its own if there is no timeout, or a long one. */
static void
trial(void)
{
	struct frame f = { .used = true };

	begin(-1, true);
	ok(frame_timeout(&npu, &f) == 10000, "a trial of no limit");
	npu.opt.timeout_ms = 60000;
	ok(frame_timeout(&npu, &f) == 10000, "a trial of a minute");
	npu.opt.timeout_ms = 500;
	ok(frame_timeout(&npu, &f) == 500, "a trial of less");
	f.used = false;
	npu.opt.timeout_ms = -1;
	ok(frame_timeout(&npu, &f) == -1, "no trial");
}

static void
ports(void)
{
	begin(1000, false);
	ok(npu_input(&npu, 0) == &fake_tensor && npu_input(&npu, 1) == NULL,
	    "an input that there is, and one that there is not");
	ok(npu_output(&npu, 0) == &fake_tensor && npu_output(&npu, 1) == NULL,
	    "an output");
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
