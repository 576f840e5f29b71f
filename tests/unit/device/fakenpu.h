/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library and a device for tests of a queue.  A job ends after the time that
 * the test sets, in the order of submission or independently of other jobs.
 * Forbidden calls for a job are counted.  As in the vendor's library, a wait
 * for one job ends when any job ends (noe-abi 4.9).
 */
#ifndef TESTS_UNIT_DEVICE_FAKENPU_H
#define TESTS_UNIT_DEVICE_FAKENPU_H

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "device/npu_impl.h"
#include "fakeclock.h"

enum { JOBS = 4000, SIZE = 4, FOREVER = 1000000 };

enum state { ABSENT, IDLE, FLYING, ENDED };

struct fake_job {
	enum state state;
	bool noted;		/* the library has noted that the job ended */
	unsigned runs;
	uint64_t end;		/* clock_ns() */
	job_status_t outcome;
	uint8_t data[SIZE];
};

/* Set by the test.  Index i is the i-th call, counted from 1. */
static struct fake_plan {
	int takes[JOBS];	/* ms, for submission i; 0: takes[0] */
	job_status_t outcome[JOBS];	/* for submission i; 0: done */
	noe_status_t create[JOBS], load[JOBS], submit[JOBS], get[JOBS];
	noe_status_t status[JOBS];
	bool lost;		/* every query fails */
	uint64_t stop_at;	/* when *stop becomes 1; 0: never */
	volatile sig_atomic_t *stop;
	unsigned memory;	/* number of jobs that fit; 0: all */
	bool parallel;		/* jobs do not wait for each other */
	unsigned hang_run;	/* this run of each job hangs, */
	unsigned hang_from;	/* or each later run of a job, from
				   submission i on */
} plan;

/* Counters of calls. */
static struct fake_seen {
	unsigned creates, loads, submits, statuses, gets, cleans;
	unsigned wrong;		/* cleaned in flight, or used when that is not
				   allowed */
	unsigned made_meanwhile;	/* created while another runs */
	unsigned loaded_meanwhile;
	unsigned most_out, there, most_there;
	unsigned most_reused_out;
} seen;

static struct fake_job jobs[JOBS + 1];
static uint64_t device_free;	/* when the last job in line ends */

static void
fake_reset(void)
{
	memset(jobs, 0, sizeof(jobs));
	plan = (struct fake_plan){ .takes[0] = 1 };
	seen = (struct fake_seen){ 0 };
	device_free = 0;
}

/* Ends the jobs whose time has passed. */
static void
fake_advance(void)
{
	uint64_t now = clock_ns();

	for (unsigned i = 1; i <= seen.creates; i++) {
		if (jobs[i].state == FLYING && jobs[i].end <= now)
			jobs[i].state = ENDED;
	}
}

/* Returns the number of jobs that were submitted at least 'runs' times and
 * whose end the library has not noted. */
static unsigned
out(unsigned runs)
{
	unsigned n = 0;

	for (unsigned i = 1; i <= seen.creates; i++)
		n += jobs[i].state >= FLYING && !jobs[i].noted &&
		    jobs[i].runs >= runs;
	return n;
}

static void
most(unsigned *m, unsigned n)
{
	*m = n > *m ? n : *m;
}

static noe_status_t
fake_create(const context_handler_t *ctx, uint64_t graph, uint64_t *job,
    job_config_t *config)
{
	(void)ctx;
	(void)graph;
	(void)config;
	fake_advance();
	*job = ++seen.creates;
	seen.made_meanwhile += out(1) > 0;
	jobs[*job].state = IDLE;
	most(&seen.most_there, ++seen.there);
	if (plan.memory != 0 && seen.there > plan.memory)
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	return plan.create[*job];
}

static noe_status_t
fake_load(const context_handler_t *ctx, uint64_t job, uint32_t i,
    const void *data)
{
	(void)ctx;
	(void)i;
	fake_advance();
	seen.loaded_meanwhile += out(1) > 0;
	seen.wrong += jobs[job].state == FLYING || jobs[job].state == ABSENT;
	memcpy(jobs[job].data, data, SIZE);
	return plan.load[++seen.loads];
}

static noe_status_t
fake_submit(const context_handler_t *ctx, uint64_t job,
    job_callback_func_t callback)
{
	unsigned n = ++seen.submits;
	struct fake_job *j = &jobs[job];
	uint64_t now = clock_ns(), from;
	int ms = plan.takes[n] != 0 ? plan.takes[n] : plan.takes[0];

	(void)ctx;
	(void)callback;
	fake_advance();
	seen.wrong += j->state == FLYING || j->state == ABSENT;
	if (plan.submit[n] != 0)
		return plan.submit[n];
	from = plan.parallel || device_free < now ? now : device_free;
	j->runs++;
	if (j->runs == plan.hang_run ||
	    (plan.hang_from != 0 && n >= plan.hang_from && j->runs > 1))
		j->end = UINT64_MAX;
	else
		device_free = j->end = from + (uint64_t)ms * 1000000;
	j->state = FLYING;
	j->noted = false;
	j->outcome = plan.outcome[n] != 0 ? plan.outcome[n] :
	    NOE_JOB_STATUS_DONE;
	most(&seen.most_out, out(1));
	most(&seen.most_reused_out, out(2));
	return 0;
}

/* Notes the end of one job, as the library does.  Returns false if no other job
 * has ended. */
static bool
fake_note_one(void)
{
	fake_advance();
	for (unsigned i = 1; i <= seen.creates; i++) {
		if (jobs[i].state == ENDED && !jobs[i].noted)
			return jobs[i].noted = true;
	}
	return false;
}

static noe_status_t
fake_status(const context_handler_t *ctx, uint64_t job, job_status_t *state,
    int32_t timeout_ms)
{
	struct timespec tick = { 0, 1000000 };
	uint64_t until = clock_ns() + (uint64_t)timeout_ms * 1000000;

	(void)ctx;
	seen.wrong += jobs[job].state == ABSENT;
	if (plan.lost)
		return NOE_STATUS_ERROR_DEV_ABNORMAL;
	if (++seen.statuses < JOBS && plan.status[seen.statuses] != 0)
		return plan.status[seen.statuses];
	while (!jobs[job].noted && !fake_note_one()) {
		if (clock_ns() >= until)
			return NOE_STATUS_ERROR_TIMEOUT;
		nanosleep(&tick, NULL);
		if (plan.stop_at != 0 && clock_ns() >= plan.stop_at)
			*plan.stop = 1;
	}
	*state = jobs[job].noted ? jobs[job].outcome : NOE_JOB_STATUS_NO_STATUS;
	return 0;
}

static noe_status_t
fake_get(const context_handler_t *ctx, uint64_t job, tensor_type_t type,
    uint32_t i, void *data)
{
	(void)ctx;
	(void)type;
	(void)i;
	seen.wrong += !jobs[job].noted;
	memcpy(data, jobs[job].data, SIZE);
	return plan.get[++seen.gets];
}

static noe_status_t
fake_clean(const context_handler_t *ctx, uint64_t job)
{
	(void)ctx;
	fake_advance();
	seen.wrong += jobs[job].state == FLYING || jobs[job].state == ABSENT;
	seen.cleans++;
	seen.there--;
	jobs[job].state = ABSENT;
	return 0;
}

static struct npu_tensor fake_tensor = { .dtype = NPU_S8, .size = SIZE };

/* Returns a struct npu with this library, as npu_open() makes it. */
static struct npu
fake_npu(int32_t timeout_ms, bool reuse)
{
	return (struct npu){
		.thread = pthread_self(),
		.s.noe = {
			.create_job = fake_create, .load_tensor = fake_load,
			.job_infer_async = fake_submit,
			.get_job_status = fake_status, .get_tensor = fake_get,
			.clean_job = fake_clean,
		},
		.in = &fake_tensor, .out = &fake_tensor, .n_in = 1, .n_out = 1,
		.in_size = SIZE, .out_size = SIZE, .reuse = reuse,
		.opt.timeout_ms = timeout_ms, .opt.reuse_job = reuse,
	};
}

#endif
