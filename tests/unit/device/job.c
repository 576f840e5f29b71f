// SPDX-License-Identifier: Apache-2.0
/* job_wait() and job_drain() on a library with scripted answers. */
#include "base/clock.h"
#include "device/job.h"
#include "fakeclock.h"
#include "tap.h"

static unsigned looks;			/* calls of get_job_status */
static int32_t longest;			/* the longest wait it was asked for */
static unsigned running;		/* calls that find it in flight */
static noe_status_t in_flight;		/* the status they return */
static noe_status_t answer;		/* the status of later calls */
static job_status_t state;
static volatile sig_atomic_t stop;
static bool stop_soon;

/* Returns at once, which the vendor's library does not (noe-abi 4.9). */
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
		return in_flight;	/* *st is left alone */
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
	    over, "done after five looks");
	ok(wait_for(5, 0, NOE_JOB_STATUS_DONE, -1) == 0,
	    "done, without a limit");
	ok(wait_for(0, 0, NOE_JOB_STATUS_EXCEPTION, 1000) == NPU_EDEVICE &&
	    err.detail == NOE_STATUS_ERROR_JOB_EXCEPTION && over,
	    "an exception is 0x11");
	ok(wait_for(0, 0, NOE_JOB_COREDUMP, 1000) == NPU_EDEVICE &&
	    err.detail == NOE_STATUS_ERROR_INVALID_COREDUMP,
	    "a core dump has its own message");
	ok(wait_for(0, NOE_STATUS_ERROR_DEV_ABNORMAL, 0, 1000) == NPU_ENODEV &&
	    err.detail == NOE_STATUS_ERROR_DEV_ABNORMAL && !over,
	    "a failed query is reported with its status");

	begin = clock_ns();
	ok(wait_for(~0u, 0, 0, 300) == NPU_ETIMEOUT &&
	    err.detail == NOE_STATUS_ERROR_TIMEOUT && !over,
	    "a timeout is 0x23");
	ok(clock_ns() - begin >= 300000000u, "not before its time");
	ok(looks <= 400, "no spinning: %u looks in 300 ms", looks);
	ok(longest <= 100, "no wait above 100 ms: %d", (int)longest);

	/* 3.x may answer 0 with NO_STATUS for a job in flight. */
	in_flight = NOE_STATUS_SUCCESS;
	ok(wait_for(50, 0, NOE_JOB_STATUS_DONE, 10000) == 0 && looks == 51,
	    "0 with no status is in flight, too");
	in_flight = NOE_STATUS_ERROR_JOB_TIMEOUT;
	ok(wait_for(3, 0, NOE_JOB_STATUS_DONE, 10000) == 0,
	    "so is 0x12, should a library answer it");

	in_flight = NOE_STATUS_ERROR_TIMEOUT;
	stop_soon = true;
	ok(wait_for(~0u, 0, 0, -1) == NPU_ESTOPPED && looks == 3,
	    "stopped when the flag is seen");
	ok(!job_drain(&s, 1, 50), "a stopped job may still run");
	running = 0;
	answer = NOE_STATUS_SUCCESS;
	state = NOE_JOB_STATUS_DONE;
	ok(job_drain(&s, 1, 50), "or settle, whatever the flag");
	answer = NOE_STATUS_ERROR_DEV_ABNORMAL;
	ok(!job_drain(&s, 1, 50), "one that cannot be asked may still run");
	return done();
}
