// SPDX-License-Identifier: Apache-2.0
/* npu_run(): one inference that the caller waits for. */
#include "base/clock.h"
#include "base/err.h"
#include "device/frame.h"

static int
run_job(struct npu *n, struct frame *f, const void *in, void *out,
    struct npu_err *err)
{
	int rc;

	if ((rc = frame_begin(n, f, in, err)) == 0) {
		rc = job_wait(&n->s, f->job, frame_timeout(n, f), &f->over,
		    err);
		if (rc == NPU_ENODEV)
			rc = frame_recheck(n, f, 1, rc, err);
		f->times.infer += clock_ns() - f->submitted;
	}
	if (rc == NPU_ENODEV)
		npu_prefix(err, rc, "the device is gone");
	return rc < 0 ? rc : frame_fetch(n, f, out, err);
}

static int
run_fresh(struct npu *n, struct frame *f, const void *in, void *out,
    struct npu_err *err)
{
	int rc = run_job(n, f, in, out, err);

	frame_end(n, f, GRACE_MS);
	return rc;
}

static int
run_kept(struct npu *n, struct frame *f, const void *in, void *out,
    struct npu_err *err)
{
	int rc;

	f->job = n->kept;
	f->used = n->kept != 0;
	n->kept = 0;
	rc = run_job(n, f, in, out, err);
	if (rc == NPU_ETIMEOUT && f->used) {
		frame_retry_fresh(n, f, GRACE_MS);
		return run_fresh(n, f, in, out, err);
	}
	if (rc < 0) {
		frame_end(n, f, GRACE_MS);
		return rc;
	}
	n->proven = n->proven || f->used;
	n->kept = f->job;
	return 0;
}

int
npu_run(struct npu *npu, const void *in, void *out, struct npu_err *err)
{
	struct frame f = { 0 };
	struct npu_err why;
	int rc;

	if ((rc = npu_need(npu, "npu_run(): npu", err)) < 0)
		return rc;
	npu->times = f.times;
	if ((rc = npu_check_thread(npu, err)) < 0 ||
	    (npu->in_size > 0 &&
	    (rc = npu_need(in, "npu_run(): in", err)) < 0) ||
	    (npu->out_size > 0 &&
	    (rc = npu_need(out, "npu_run(): out", err)) < 0))
		return rc;
	if (npu->queue != NULL)
		return npu_fail(err, NPU_EUSAGE, "a queue is open on this "
		    "model: close it before npu_run()");
	if (npu->n_timed_out == 0 ||
	    (rc = timed_out_drain(npu, 0, &why)) == 0)
		rc = npu->reuse ? run_kept(npu, &f, in, out, &why) :
		    run_fresh(npu, &f, in, out, &why);
	npu->times = f.times;
	/* An error that was overcome, such as a reused job that hangs, is not
	 * returned. */
	if (rc < 0 && err != NULL)
		*err = why;
	return rc;
}

int
npu_probe(struct npu *npu, struct npu_err *err)
{
	uint64_t job;
	int rc = npu_need(npu, "npu_probe(): npu", err);

	if (rc < 0)
		return rc;
	rc = job_create(&npu->s, &job, err);
	job_clean(&npu->s, job);
	return rc;
}
