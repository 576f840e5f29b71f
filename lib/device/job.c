// SPDX-License-Identifier: Apache-2.0
#include <time.h>

#include "base/clock.h"
#include "base/err.h"
#include "device/job.h"

static void
sleep_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/*
 * Reports a call that failed.  Its status does not show whether the device is
 * gone, because the library returns the same status with a device.  Another
 * context would not show it either, because all contexts of a process share one
 * descriptor (noe-abi 4.1).  noe_ask_version() shows it.
 */
static int
refused(const struct session *s, const char *call, noe_status_t st,
    struct npu_err *err)
{
	noe_driver_version_t version;

	if (noe_ask_version(&s->noe, s->ctx, &version) !=
	    NOE_STATUS_ERROR_DEV_ABNORMAL)
		return noe_refused(err, call, st);
	return npu_fail_detail(err, NPU_ENODEV, (int)st, "%s failed (0x%X), "
	    "and the driver does not answer any more; 'npu-info --doctor' "
	    "says what is wrong", call, (unsigned)st);
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
		return refused(s, "create_job", st, err);
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
		return refused(s, "job_infer", st, err);
	return 0;
}

/* Returns what state means for the job, after the library returned 0. */
static int
judge(job_status_t state, bool *over, struct npu_err *err)
{
	*over = state != NOE_JOB_STATUS_NO_STATUS;
	if (!*over)
		return JOB_RUNNING;
	if (state == NOE_JOB_STATUS_DONE)
		return JOB_DONE;
	if (state == NOE_JOB_STATUS_EXCEPTION)
		return noe_refused(err, "job",
		    NOE_STATUS_ERROR_JOB_EXCEPTION);
	return npu_fail_detail(err, NPU_EDEVICE,
	    NOE_STATUS_ERROR_INVALID_COREDUMP, "job: it ended in a core dump "
	    "(state %d): the model ran into an error on the NPU; see the "
	    "kernel log (dmesg)", (int)state);
}

/*
 * While a job runs, the library returns 0x23 and does not write state (noe-abi
 * 4.9), or it returns 0 when another job of the thread has ended.  If it
 * returns at once, a sleep here keeps callers from spinning.
 */
int
job_poll(const struct session *s, uint64_t job, int32_t slice_ms, bool *over,
    struct npu_err *err)
{
	job_status_t state = NOE_JOB_STATUS_NO_STATUS;
	uint64_t begin = clock_ns();
	noe_status_t st;
	int rc = JOB_RUNNING;

	*over = false;
	st = s->noe.get_job_status(s->ctx, job, &state, slice_ms);
	if (st == NOE_STATUS_SUCCESS)
		rc = judge(state, over, err);
	else if (st != NOE_STATUS_ERROR_TIMEOUT &&
	    st != NOE_STATUS_ERROR_JOB_TIMEOUT)
		return noe_refused(err, "get_job_status", st);
	if (rc == JOB_RUNNING && slice_ms > 0 && clock_ns() - begin < 1000000)
		sleep_ms(1);
	return rc;
}

int32_t
job_slice(uint64_t deadline)
{
	uint64_t now = clock_ns(), left;

	if (now >= deadline)
		return 0;
	left = (deadline - now + 999999) / 1000000;
	return left < JOB_SLICE_MS ? (int32_t)left : JOB_SLICE_MS;
}

uint64_t
job_deadline(uint64_t from, int64_t ms)
{
	return ms < 0 ? UINT64_MAX : from + (uint64_t)ms * 1000000u;
}

int
job_timeout_error(int32_t timeout_ms, struct npu_err *err)
{
	noe_refused(err, "job", NOE_STATUS_ERROR_TIMEOUT);
	return npu_prefix(err, NPU_ETIMEOUT, "no result after %g s",
	    timeout_ms / 1e3);
}

bool
job_stopped(const struct session *s)
{
	return s->stop != NULL && *s->stop != 0;
}

int
job_wait(const struct session *s, uint64_t job, int32_t timeout_ms,
    bool *over, struct npu_err *err)
{
	uint64_t deadline = job_deadline(clock_ns(), timeout_ms);
	int32_t ms;
	int rc;

	*over = false;
	for (;;) {
		if ((ms = job_slice(deadline)) == 0)
			return job_timeout_error(timeout_ms, err);
		if (job_stopped(s))
			return npu_fail(err, NPU_ESTOPPED, "stopped");
		if ((rc = job_poll(s, job, ms, over, err)) != JOB_RUNNING)
			return rc;
	}
}

bool
job_drain(const struct session *s, uint64_t job, int32_t grace_ms)
{
	uint64_t deadline = job_deadline(clock_ns(), grace_ms);
	bool over = false;
	int32_t ms;

	while ((ms = job_slice(deadline)) > 0 &&
	    job_poll(s, job, ms, &over, NULL) == JOB_RUNNING)
		;
	return over;
}
