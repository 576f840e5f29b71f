// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "base/err.h"
#include "device/frame.h"

#define REUSE_TRIAL_MS 10000

/* Adds the time since *mark to *stage, and sets *mark to now. */
static void
lap(uint64_t *mark, uint64_t *stage)
{
	uint64_t now = clock_ns();

	*stage += now - *mark;
	*mark = now;
}

/* ---- Beginning --------------------------------------------------------- */

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

int
frame_begin(struct npu *n, struct frame *f, const void *in,
    struct npu_err *err)
{
	uint64_t mark = clock_ns();
	int rc;

	f->over = true;
	if (f->job == 0) {
		if ((rc = job_create(&n->s, &f->job, err)) < 0) {
			job_clean(&n->s, f->job);
			f->job = 0;
			return rc;
		}
		lap(&mark, &f->times.create);
	}
	rc = put_inputs(n, f->job, in, err);
	lap(&mark, &f->times.load);
	if (rc < 0)
		return rc;
	f->submitted = mark;
	rc = job_submit(&n->s, f->job, err);
	f->over = rc < 0;
	return rc;
}

int32_t
frame_timeout(const struct npu *n, const struct frame *f)
{
	int32_t ms = n->opt.timeout_ms;

	if (f->used && (ms < 0 || ms > REUSE_TRIAL_MS))
		return REUSE_TRIAL_MS;
	return ms;
}

/* ---- Ending ------------------------------------------------------------ */

int
frame_fetch(struct npu *n, struct frame *f, void *out, struct npu_err *err)
{
	uint64_t mark = clock_ns();
	uint8_t *to = out;
	noe_status_t st;

	for (uint32_t i = 0; i < n->n_out; i++) {
		st = n->s.noe.get_tensor(n->s.ctx, f->job,
		    NOE_TENSOR_TYPE_OUTPUT, i, to);
		if (st != NOE_STATUS_SUCCESS)
			return noe_refused(err, "get_tensor", st);
		to += n->out[i].size;
	}
	lap(&mark, &f->times.get);
	return 0;
}

int
frame_recheck(struct npu *n, struct frame *f, unsigned in_flight, int rc,
    struct npu_err *err)
{
	unsigned out = in_flight + n->n_timed_out;
	struct npu_err again;
	int asked;

	do {
		asked = job_poll(&n->s, f->job, 0, &f->over, &again);
	} while (asked == NPU_ENODEV && --out > 0);
	if (asked == NPU_ENODEV)
		*err = again;
	else if (rc == NPU_ENODEV)
		asked = err->code = NPU_EDEVICE;
	else
		asked = rc;
	return asked;
}

/* Returns true if the job was cleaned, false if it still runs. */
static bool
clean(struct npu *n, struct frame *f, int32_t grace_ms)
{
	uint64_t mark = clock_ns();

	if (!f->over && !job_drain(&n->s, f->job, grace_ms))
		return false;
	job_clean(&n->s, f->job);
	lap(&mark, &f->times.clean);
	return true;
}

void
frame_end(struct npu *n, struct frame *f, int32_t grace_ms)
{
	if (f->job != 0 && !clean(n, f, grace_ms))
		n->timed_out[n->n_timed_out++] = f->job;
	f->job = 0;
}

void
frame_retry_fresh(struct npu *n, struct frame *f, int32_t grace_ms)
{
	if (n->reuse && n->opt.note != NULL)
		n->opt.note(n->opt.note_arg, "the driver does not run a job "
		    "twice (0x23): making a new one for each inference");
	n->reuse = false;
	clean(n, f, grace_ms);
	f->job = 0;
	f->used = false;
}

void
frame_drop_kept(struct npu *n)
{
	job_clean(&n->s, n->kept);
	n->kept = 0;
}

/* ---- Jobs that timed out ----------------------------------------------- */

unsigned
timed_out_reap(struct npu *n)
{
	unsigned had = n->n_timed_out, left = 0;
	bool over;

	for (unsigned i = 0; i < had; i++) {
		job_poll(&n->s, n->timed_out[i], 0, &over, NULL);
		if (over)
			job_clean(&n->s, n->timed_out[i]);
		else
			n->timed_out[left++] = n->timed_out[i];
	}
	n->n_timed_out = left;
	return had - left;
}

int
timed_out_drain(struct npu *n, unsigned most, struct npu_err *err)
{
	uint64_t deadline = job_deadline(clock_ns(), GRACE_MS);
	unsigned failed = 0;
	int32_t ms;
	bool over;
	int rc;

	for (timed_out_reap(n); n->n_timed_out > most; timed_out_reap(n)) {
		if (job_stopped(&n->s))
			return npu_fail(err, NPU_ESTOPPED, "stopped");
		if ((ms = job_slice(deadline)) == 0)
			return npu_fail(err, NPU_EDEVICE, "an earlier "
			    "inference that timed out still occupies the NPU: "
			    "try again later, or load the model again");
		rc = job_poll(&n->s, n->timed_out[0], ms, &over, err);
		/* Each job that runs may spoil one answer (noe-abi 4.9). */
		if (rc < 0 && !over && ++failed > TIMED_OUT_MAX)
			return rc;
	}
	return 0;
}
