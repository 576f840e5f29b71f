/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One inference: its job, and how far that is.  What npu_run() and a queue have
 * in common; they differ in how they wait.
 */
#ifndef DEVICE_FRAME_H
#define DEVICE_FRAME_H

#include "device/npu_impl.h"

#define GRACE_MS 1000		/* for a job that was given up */

struct frame {
	uint64_t job;		/* 0: none */
	bool used;		/* the job has run before */
	bool over;		/* it does not run, so it may be cleaned */
	uint64_t submitted;	/* when, clock_ns() */
	struct npu_times times;	/* added to */
};

/* Make a job unless there is one, load it with in, and submit it. */
int frame_begin(struct npu *n, struct frame *f, const void *in,
    struct npu_err *err);

/* The outputs of a job that is done. */
int frame_fetch(struct npu *n, struct frame *f, void *out,
    struct npu_err *err);

/*
 * The library could not tell of the job: rc, and *err says why.  Ask again: if
 * it can now, this frame has failed and no other, rc, which is NPU_EDEVICE for
 * NPU_ENODEV; if not, the device is gone, NPU_ENODEV.  A question is answered
 * with what became of any job (noe-abi 4.9), so each that is out may spoil one:
 * those in flight, and the late.  err is given.
 */
int frame_recheck(struct npu *n, struct frame *f, unsigned in_flight, int rc,
    struct npu_err *err);

/*
 * Clean the job, unless it still runs after grace_ms: cleaning it then would
 * free buffers that the device may still be writing to (noe-abi 4.10), so it
 * becomes one of the late ones.
 */
void frame_end(struct npu *n, struct frame *f, int32_t grace_ms);

/* How long to wait for it: a reused job that hangs must be found out even with
 * no timeout. */
int32_t frame_timeout(const struct npu *n, const struct frame *f);

/*
 * A reused job was not done in time.  The driver hangs on reuse (noe-abi
 * 4.12): say so and do without from now on.  The job is not waited for again,
 * as a late one would be: if it still runs after grace_ms it is left,
 * uncleaned, to npu_close().
 */
void frame_retry_fresh(struct npu *n, struct frame *f, int32_t grace_ms);

/* Clean the late jobs that have ended since (noe-abi 4.11); how many. */
unsigned timed_out_reap(struct npu *n);

/*
 * Give the late jobs GRACE_MS until no more than most are left.  NPU_EDEVICE:
 * more still run; NPU_ESTOPPED; or what kept the library from telling.
 */
int timed_out_drain(struct npu *n, unsigned most, struct npu_err *err);

#endif
