// SPDX-License-Identifier: Apache-2.0
/* Tests job_wait() and job_drain() with a library whose answers are
 * scripted. */
#include "base/clock.h"
#include "device/job.h"
#include "fakeclock.h"
#include "tap.h"

static unsigned looks;			/* calls of get_job_status */
static int32_t longest;			/* the longest requested wait */
static unsigned running;		/* calls that find the job in flight */
static noe_status_t in_flight;		/* the status that these calls return */
static noe_status_t answer;		/* the status of later calls */
static job_status_t state;
static volatile sig_atomic_t stop;
static bool stop_soon;

/* Returns at once, unlike the vendor's library (noe-abi 4.9). */
static noe_status_t
get_job_status(const context_handler_t *ctx, uint64_t job, job_status_t *st,
    int32_t timeout_ms)
{
	(void)ctx;
	(void)job;
	looks++;
	if (timeout_ms > longest)
		longest = timeout_ms;
	if (stop_soon && looks == 3)
		stop = SIGTERM;
	if (looks <= running)
		return in_flight;	/* *st is not changed */
	*st = state;
	return answer;
}

static struct session s = {
	.noe.get_job_status = get_job_status, .stop = &stop,
};

static struct npu_err err;
static bool over;

static int
wait_for(unsigned n, noe_status_t ans, job_status_t st, int32_t timeout_ms)
{
	looks = 0;
	longest = 0;
	running = n;
	answer = ans;
	state = st;
	stop = 0;
	over = false;
	err = (struct npu_err){ 0 };
	return job_wait(&s, 1, timeout_ms, &over, &err);
}

int
main(void)
{
	uint64_t begin;

	in_flight = NOE_STATUS_ERROR_TIMEOUT;
	ok(wait_for(5, 0, NOE_JOB_STATUS_DONE, 10000) == 0 && looks == 6 &&
	    over,
	    "job_wait() succeeds when the sixth query finds the job done");
	ok(wait_for(5, 0, NOE_JOB_STATUS_DONE, -1) == 0,
	    "job_wait() without a timeout succeeds when the job is done");
	ok(wait_for(0, 0, NOE_JOB_STATUS_EXCEPTION, 1000) == NPU_EDEVICE &&
	    err.detail == NOE_STATUS_ERROR_JOB_EXCEPTION && over,
	    "a job with an exception fails with status 0x11");
	ok(wait_for(0, 0, NOE_JOB_COREDUMP, 1000) == NPU_EDEVICE &&
	    err.detail == NOE_STATUS_ERROR_INVALID_COREDUMP,
	    "a core dump fails with its own status");
	ok(wait_for(0, NOE_STATUS_ERROR_DEV_ABNORMAL, 0, 1000) == NPU_ENODEV &&
	    err.detail == NOE_STATUS_ERROR_DEV_ABNORMAL && !over,
	    "a failed query is reported with the status of the query");

	begin = clock_ns();
	ok(wait_for(~0u, 0, 0, 300) == NPU_ETIMEOUT &&
	    err.detail == NOE_STATUS_ERROR_TIMEOUT && !over,
	    "a job that does not end fails with status 0x23, a timeout");
	ok(clock_ns() - begin >= 300000000u,
	    "job_wait() does not return before its timeout");
	ok(looks <= 400, "job_wait() does not poll in a busy loop: %u queries "
	    "in 300 ms", looks);
	ok(longest <= 100, "no single wait is longer than 100 ms: %d",
	    (int)longest);

	/* 3.x may answer 0 with NO_STATUS for a job in flight. */
	in_flight = NOE_STATUS_SUCCESS;
	ok(wait_for(50, 0, NOE_JOB_STATUS_DONE, 10000) == 0 && looks == 51,
	    "status 0 with NO_STATUS means that the job is in flight");
	in_flight = NOE_STATUS_ERROR_JOB_TIMEOUT;
	ok(wait_for(3, 0, NOE_JOB_STATUS_DONE, 10000) == 0,
	    "status 0x12 means that the job is in flight");

	in_flight = NOE_STATUS_ERROR_TIMEOUT;
	stop_soon = true;
	ok(wait_for(~0u, 0, 0, -1) == NPU_ESTOPPED && looks == 3,
	    "job_wait() ends when it sees the stop flag");
	ok(!job_drain(&s, 1, 50),
	    "job_drain() returns false if a stopped job still runs");
	running = 0;
	answer = NOE_STATUS_SUCCESS;
	state = NOE_JOB_STATUS_DONE;
	ok(job_drain(&s, 1, 50), "job_drain() returns true if the job ends, "
	    "although the stop flag is set");
	answer = NOE_STATUS_ERROR_DEV_ABNORMAL;
	ok(!job_drain(&s, 1, 50), "job_drain() returns false if the library "
	    "does not give the job's state");
	return done();
}
