// SPDX-License-Identifier: Apache-2.0
/*
 * Tests npu_queue with the scripted library and device of fakenpu.h.
 * queue_trouble.c tests failures; tests/lib/queue.bats tests a queue on the
 * emulator.
 */
#include <pthread.h>

#include "queue.h"

static void
overlap(void)
{
	start(1000, false, 0);
	plan.takes[0] = 8;
	ok(is(flow(9), "........."), "nine inputs give nine results, in order");
	ok(seen.most_out == 3,
	    "the default depth keeps three jobs in flight: %u", seen.most_out);
	ok(seen.made_meanwhile == 8 && seen.loaded_meanwhile == 8,
	    "all jobs but the first are made and loaded while another job "
	    "runs");
	ok(seen.creates == 9 && seen.cleans == 9 && seen.wrong == 0,
	    "without reuse, each input has its own job, which is cleaned");
	ok(seen.most_there == 3, "at most three jobs exist at a time: %u",
	    seen.most_there);

	start(1000, false, 1);
	ok(is(flow(3), "...") && seen.most_out == 1, "with depth 1, one job at "
	    "a time is in flight");

	/* The second job ends first, and its end wakes the wait for the
	 * first. */
	start(1000, false, 3);
	plan.parallel = true;
	plan.takes[1] = 30;
	plan.takes[2] = plan.takes[3] = 5;
	ok(is(flow(5), ".....") && seen.wrong == 0,
	    "results come in order even if a later job ends first");
}

static void *
other_thread(void *rc)
{
	uint32_t in = 0;

	((int *)rc)[0] = npu_queue_put(q, &in, NULL);
	((int *)rc)[1] = npu_queue_get(q, &in, NULL);
	((int *)rc)[2] = npu_queue_ready(q);
	((int *)rc)[3] = npu_run(&npu, &in, &in, NULL);
	npu.queue = NULL;
	((int *)rc)[4] = npu_queue_open(&q, &npu, 2, NULL);
	npu.queue = q;
	return NULL;
}

static void
refusals(void)
{
	struct npu_queue *second;
	uint64_t submitted, begin;
	uint32_t x = 7;
	pthread_t t;
	int rc[5];

	start(1000, false, 2);
	plan.takes[0] = 500;
	ok(npu_queue_get(q, &x, &err) == NPU_EUSAGE,
	    "npu_queue_get() is refused if the queue is empty: %s", err.msg);
	ok(npu_queue_open(&second, &npu, 2, &err) == NPU_EUSAGE,
	    "a second queue on the same model is refused: %s", err.msg);
	ok(npu_run(&npu, &x, &x, &err) == NPU_EUSAGE,
	    "npu_run() is refused while a queue is open: %s", err.msg);
	ok(!npu_queue_ready(q) && !npu_queue_full(q),
	    "a new queue is neither ready nor full");
	submitted = clock_ns();
	put();
	put();
	ok(npu_queue_full(q) && npu_queue_length(q) == 2 && out(1) == 2,
	    "npu_queue_put() returns without waiting for the jobs");
	ok(put() == NPU_EUSAGE && npu_queue_length(q) == 2,
	    "npu_queue_put() is refused if the queue is full: %s", err.msg);
	ok(!npu_queue_ready(q),
	    "while the first job runs, the queue is not ready");
	begin = clock_ns();
	ok(!npu_queue_wait(q, 50) && ms_since(begin) >= 50 &&
	    ms_since(begin) < 450, "npu_queue_wait() waits for the given time");
	ok(!npu_queue_wait(q, 5000) && ms_since(begin) < 450,
	    "npu_queue_wait() waits at most 100 ms");
	while (ms_since(begin) < 10000 && !npu_queue_wait(q, 5000))
		;
	ok(npu_queue_ready(q) && ms_since(submitted) >= 500,
	    "when the first job has ended, the queue is ready");
	pthread_create(&t, NULL, other_thread, rc);
	pthread_join(t, NULL);
	ok(rc[0] == NPU_EUSAGE && rc[1] == NPU_EUSAGE && rc[2] == 0 &&
	    rc[3] == NPU_EUSAGE && rc[4] == NPU_EUSAGE,
	    "another thread cannot use the queue or the model");
	ok(npu_queue_get(q, NULL, &err) == NPU_EUSAGE,
	    "npu_queue_get() without an output buffer is refused: %s", err.msg);
	ok(npu_queue_put(q, NULL, &err) == NPU_EUSAGE,
	    "npu_queue_put() without an input is refused: %s", err.msg);
	ok(npu_queue_length(q) == 2,
	    "a refused put or get does not change the queue");
	npu_queue_close(q);
	ok(npu_run(&npu, &x, &x, &err) == 0,
	    "after the queue is closed, npu_run() works");
	ok(npu_queue_open(&q, &npu, 65, &err) == NPU_EUSAGE,
	    "a queue with a depth of 65 is refused: %s", err.msg);
	npu_queue_close(NULL);
}

static void
behind_others(void)
{
	/* Each job takes 100 ms, three are in line, and the timeout is 200
	 * ms. */
	start(200, false, 3);
	plan.takes[0] = 100;
	ok(is(flow(5), "....."), "the timeout does not include the time behind "
	    "earlier jobs");

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
	ok(is(answers, "..."), "results that are fetched late have not timed "
	    "out");
}

/* The time of an inference does not include the wait behind earlier jobs, even
 * if all results are there at once. */
static void
own_times(void)
{
	uint64_t total = 0, longest = 0;

	start(10000, false, 3);
	plan.takes[0] = 30;
	putn = gotn = 0;
	put();
	put();
	put();
	for (int i = 0; i < 3; i++) {
		get();
		total += npu_last_times(&npu)->infer;
		longest = npu_last_times(&npu)->infer > longest ?
		    npu_last_times(&npu)->infer : longest;
	}
	npu_queue_close(q);
	ok(total == 90000000 && longest == 30000000,
	    "each inference has its own time: %d ns, and all together %d ns",
	    (int)longest, (int)total);
}

static volatile sig_atomic_t stop;

static void
stopping(void)
{
	uint64_t begin = clock_ns();

	start(-1, false, 3);
	npu.s.stop = &stop;
	plan.takes[1] = 1500;
	plan.stop = &stop;
	plan.stop_at = begin + UINT64_C(150000000);
	putn = gotn = 0;
	put();
	put();
	ok(get() == NPU_ESTOPPED && npu_queue_length(q) == 2, "a stop ends "
	    "npu_queue_get() and leaves the frames in the queue: %s", err.msg);
	ok(ms_since(begin) < 700, "a stop ends npu_queue_get() soon: after %d "
	    "ms", (int)ms_since(begin));
	plan.stop_at = 0;
	stop = 0;
	get();
	get();
	ok(is(answers, ".."), "after a stop, the results can still be fetched");
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
	    "npu_queue_close() lets running jobs end");

	start(100, false, 3);
	plan.takes[2] = FOREVER;
	begin = clock_ns();
	put();
	put();
	put();
	npu_queue_close(q);
	ok(seen.cleans == 1 && seen.wrong == 0 && ms_since(begin) < 1900,
	    "npu_queue_close() does not wait for ever and cleans no running "
	    "job");
	ok(npu_run(&npu, &x, &x, &err) == NPU_EDEVICE, "npu_run() fails while "
	    "a hung job of the queue still runs: %s", err.msg);
	/* The hung job ends within its extra second. */
	jobs[2].end = jobs[3].end = clock_ns() + 300000000;
	device_free = 0;
	ok(npu_run(&npu, &x, &x, &err) == 0 && seen.there == 0 &&
	    seen.wrong == 0,
	    "when the hung job has ended, npu_run() works again");
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
	ok(is(flow(12), "............") && seen.wrong == 0, "with reused jobs, "
	    "all results are right and in order");
	ok(seen.creates <= 6 && seen.most_there == 3 && seen.there == 0,
	    "%u jobs are made; at most three exist at a time, and all are "
	    "cleaned", seen.creates);

	/* The second run of a job hangs, which a single wait shows. */
	start(200, true, 3);
	npu.opt.note = count_note;
	plan.hang_run = 2;
	ok(is(flow(9), ".........") && seen.wrong == 0,
	    "if the second run of a job times out (0x23), fresh jobs give all "
	    "results");
	ok(notes == 1 && seen.most_reused_out == 1 && seen.there == 1,
	    "the queue tries reuse once and reports the failure in a note");
	ok(!npu.reuse,
	    "after the failure, the queue does not reuse jobs any more");

	start(200, true, 3);
	npu.opt.note = count_note;
	plan.hang_from = 20;
	ok(is(flow(30), "..............................") && seen.wrong == 0 &&
	    seen.there == 3 && notes == 2,
	    "if all reused jobs hang later, fresh jobs give all results");
}

/* A restarted job does not time out because of the jobs that are now ahead. */
static void
started_again(void)
{
	start(200, true, 3);
	plan.hang_run = 2;
	plan.takes[3] = plan.takes[4] = 250;
	putn = gotn = 0;
	put();
	get();
	put();			/* hangs; the other jobs end at 500 ms */
	put();
	put();
	get();
	get();
	get();
	npu_queue_close(q);
	ok(is(answers, "...."), "a restarted job has the time of all jobs "
	    "ahead");
}

int
main(void)
{
	overlap();
	refusals();
	behind_others();
	own_times();
	stopping();
	closing();
	reuse();
	started_again();
	return done();
}
