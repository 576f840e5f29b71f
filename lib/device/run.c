// SPDX-License-Identifier: Apache-2.0
/* One inference, and what becomes of its job. */
#include "base/clock.h"
#include "base/err.h"
#include "device/npu_impl.h"

#define GRACE_MS 1000		/* for a job that is stopped or timed out */
/* A reused job that hangs must be found out even with no timeout. */
#define REUSE_TRIAL_MS 10000

/* Adds what has passed since *mark to *stage, and moves the mark. */
static void
lap(uint64_t *mark, uint64_t *stage)
{
	uint64_t now = clock_ns();

	*stage += now - *mark;
	*mark = now;
}

static int
put_inputs(struct npu *n, uint64_t job, const uint8_t *in, struct npu_err *err)
{
	noe_status_t st;

	for (uint32_t i = 0; i < n->n_in; i++) {
		st = n->s.noe.load_tensor(n->s.ctx, job, i, in);
		if (st != NOE_STATUS_SUCCESS)
			return noe_refused(err, "load_tensor", st);
		in += n->in[i].size;
	}
	return 0;
}

static int
get_outputs(struct npu *n, uint64_t job, uint8_t *out, struct npu_err *err)
{
	noe_status_t st;

	for (uint32_t i = 0; i < n->n_out; i++) {
		st = n->s.noe.get_tensor(n->s.ctx, job, NOE_TENSOR_TYPE_OUTPUT,
		    i, out);
		if (st != NOE_STATUS_SUCCESS)
			return noe_refused(err, "get_tensor", st);
		out += n->out[i].size;
	}
	return 0;
}

static int
run_job(struct npu *n, uint64_t job, int32_t timeout_ms, const void *in,
    void *out, struct npu_err *err)
{
	uint64_t mark = clock_ns();
	int rc;

	rc = put_inputs(n, job, in, err);
	lap(&mark, &n->times.load);
	if (rc < 0)
		return rc;
	if ((rc = job_submit(&n->s, job, err)) == 0)
		rc = job_wait(&n->s, job, timeout_ms, err);
	lap(&mark, &n->times.infer);
	if (rc < 0)
		return rc;
	rc = get_outputs(n, job, out, err);
	lap(&mark, &n->times.get);
	return rc;
}

/*
 * After a run: clean the job, unless it still runs.  Cleaning it then would
 * free buffers that the device may still be writing to (noe-abi 4.10), so it is
 * given a moment, and then left to the next npu_run(), or to npu_close().
 */
static void
end_job(struct npu *n, uint64_t job, int rc)
{
	uint64_t mark = clock_ns();

	if ((rc == NPU_ETIMEOUT || rc == NPU_ESTOPPED) &&
	    !job_settle(&n->s, job, GRACE_MS)) {
		n->late = job;
		return;
	}
	job_clean(&n->s, job);
	lap(&mark, &n->times.clean);
}

static int
run_fresh(struct npu *n, const void *in, void *out, struct npu_err *err)
{
	uint64_t mark = clock_ns(), job;
	int rc;

	if ((rc = job_create(&n->s, &job, err)) < 0) {
		job_clean(&n->s, job);
		return rc;
	}
	lap(&mark, &n->times.create);
	rc = run_job(n, job, n->opt.timeout_ms, in, out, err);
	end_job(n, job, rc);
	return rc;
}

/*
 * The driver hangs on reuse (noe-abi 4.12): say so and go on without it.  A
 * kept job that still hangs is not waited for again, as a late one would be: it
 * is left, uncleaned, to npu_close().
 */
static int
fall_back(struct npu *n, const void *in, void *out, struct npu_err *err)
{
	if (n->opt.note != NULL)
		n->opt.note(n->opt.note_arg, "the driver does not run a job "
		    "twice (0x23): making a new one for each inference");
	n->reuse = false;
	end_job(n, n->kept, NPU_ETIMEOUT);
	n->kept = 0;
	n->late = 0;
	return run_fresh(n, in, out, err);
}

static int
run_kept(struct npu *n, const void *in, void *out, struct npu_err *err)
{
	int32_t timeout_ms = n->opt.timeout_ms;
	uint64_t mark = clock_ns();
	int rc;

	if (n->kept == 0) {
		if ((rc = job_create(&n->s, &n->kept, err)) < 0) {
			job_clean(&n->s, n->kept);
			n->kept = 0;
			return rc;
		}
		lap(&mark, &n->times.create);
		n->kept_used = false;
	}
	if (n->kept_used &&
	    (timeout_ms < 0 || timeout_ms > REUSE_TRIAL_MS))
		timeout_ms = REUSE_TRIAL_MS;
	rc = run_job(n, n->kept, timeout_ms, in, out, err);
	if (rc == NPU_ETIMEOUT && n->kept_used)
		return fall_back(n, in, out, err);
	n->kept_used = true;
	if (rc < 0) {
		end_job(n, n->kept, rc);
		n->kept = 0;
	}
	return rc;
}

/* A job that timed out may have ended since: then it can be cleaned (4.11). */
static int
end_late(struct npu *n, struct npu_err *err)
{
	if (!job_settle(&n->s, n->late, GRACE_MS))
		return npu_fail(err, NPU_EDEVICE, "an earlier inference that "
		    "timed out still occupies the NPU: try again later, or "
		    "load the model again");
	job_clean(&n->s, n->late);
	n->late = 0;
	return 0;
}

int
npu_run(struct npu *npu, const void *in, void *out, struct npu_err *err)
{
	int rc;

	npu->times = (struct npu_times){ 0 };
	if (npu->late != 0 && (rc = end_late(npu, err)) < 0)
		return rc;
	if (npu->reuse)
		return run_kept(npu, in, out, err);
	return run_fresh(npu, in, out, err);
}

int
npu_try(struct npu *npu, struct npu_err *err)
{
	uint64_t job;
	int rc = job_create(&npu->s, &job, err);

	job_clean(&npu->s, job);
	return rc;
}
