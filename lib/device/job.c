// SPDX-License-Identifier: Apache-2.0
#include <time.h>

#include "base/clock.h"
#include "base/err.h"
#include "device/job.h"

/* Between two looks at the stop flag while a job runs. */
#define SLICE_MS 100

static void
sleep_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

int
job_create(const struct session *s, uint64_t *job, struct npu_err *err)
{
	job_config_npu_t npu = { 0 };
	job_config_t config = { &npu };
	noe_status_t st;

	*job = 0;
	st = s->noe.create_job(s->ctx, s->graph, job, &config);
	if (st != NOE_STATUS_SUCCESS)
		return noe_refused(err, "create_job", st);
	return 0;
}

void
job_clean(const struct session *s, uint64_t job)
{
	if (job != 0)
		s->noe.clean_job(s->ctx, job);
}

int
job_submit(const struct session *s, uint64_t job, struct npu_err *err)
{
	noe_status_t st = s->noe.job_infer_async(s->ctx, job, NULL);

	if (st != NOE_STATUS_SUCCESS)
		return noe_refused(err, "job_infer", st);
	return 0;
}

enum { DONE = 0, RUNNING = 1 };

/*
 * Look once, for at most slice_ms: DONE, RUNNING, or negative.  In flight the
 * library answers 0x23 and leaves the state alone (noe-abi 4.9).  One that
 * answers so sooner than it was asked to wait is slept on, so that no wait of
 * ours can spin.
 */
static int
look(const struct session *s, uint64_t job, int32_t slice_ms,
    struct npu_err *err)
{
	job_status_t state = NOE_JOB_STATUS_NO_STATUS;
	uint64_t begin = clock_ns();
	noe_status_t st;

	st = s->noe.get_job_status(s->ctx, job, &state, slice_ms);
	if (st == NOE_STATUS_SUCCESS && state == NOE_JOB_STATUS_DONE)
		return DONE;
	if (st == NOE_STATUS_SUCCESS && state == NOE_JOB_STATUS_EXCEPTION)
		return noe_refused(err, "job",
		    NOE_STATUS_ERROR_JOB_EXCEPTION);
	if (st == NOE_STATUS_SUCCESS && state != NOE_JOB_STATUS_NO_STATUS)
		return npu_fail_detail(err, NPU_EDEVICE,
		    NOE_STATUS_ERROR_INVALID_COREDUMP, "job: it ended in a "
		    "core dump (state %d): the model ran into an error on the "
		    "NPU; see the kernel log (dmesg)", (int)state);
	if (st != NOE_STATUS_SUCCESS && st != NOE_STATUS_ERROR_TIMEOUT &&
	    st != NOE_STATUS_ERROR_JOB_TIMEOUT)
		return noe_refused(err, "get_job_status", st);
	if (clock_ns() - begin < (uint64_t)slice_ms * 500000u)
		sleep_ms(1);
	return RUNNING;
}

/* Milliseconds from now to the deadline, at most a slice, at least 0. */
static int32_t
next_slice(uint64_t deadline)
{
	uint64_t now = clock_ns(), left;

	if (now >= deadline)
		return 0;
	left = (deadline - now + 999999) / 1000000;
	return left < SLICE_MS ? (int32_t)left : SLICE_MS;
}

static uint64_t
deadline_after(int32_t ms)
{
	return ms < 0 ? UINT64_MAX : clock_ns() + (uint64_t)ms * 1000000u;
}

int
job_wait(const struct session *s, uint64_t job, int32_t timeout_ms,
    struct npu_err *err)
{
	uint64_t deadline = deadline_after(timeout_ms);
	int32_t ms;
	int rc;

	for (;;) {
		ms = next_slice(deadline);
		if (ms == 0) {
			noe_refused(err, "job", NOE_STATUS_ERROR_TIMEOUT);
			return npu_prefix(err, NPU_ETIMEOUT, "no result after "
			    "%g s", timeout_ms / 1e3);
		}
		if (s->stop != NULL && *s->stop != 0)
			return npu_fail(err, NPU_ESTOPPED, "stopped");
		if ((rc = look(s, job, ms, err)) != RUNNING)
			return rc;
	}
}

bool
job_settle(const struct session *s, uint64_t job, int32_t grace_ms)
{
	uint64_t deadline = deadline_after(grace_ms);
	int32_t ms;

	while ((ms = next_slice(deadline)) > 0)
		if (look(s, job, ms, NULL) != RUNNING)
			return true;
	return false;
}
