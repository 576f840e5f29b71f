/* SPDX-License-Identifier: Apache-2.0 */
/* One inference and its job, for npu_run() and for queues, which wait in
 * different ways. */
#ifndef DEVICE_FRAME_H
#define DEVICE_FRAME_H

#include "device/npu_impl.h"

#define GRACE_MS 1000		/* grace period of a job that timed out */

struct frame {
	uint64_t job;		/* 0: none */
	bool used;		/* the job has run before */
	bool over;		/* does not run: may be cleaned */
	uint64_t submitted;	/* clock_ns() */
	struct npu_times times;	/* added to */
};

/* Makes a job unless the frame has one, loads it with in, and submits it. */
int frame_begin(struct npu *n, struct frame *f, const void *in,
    struct npu_err *err);

/* Copies the outputs of a job that has ended with success to out. */
int frame_fetch(struct npu *n, struct frame *f, void *out,
    struct npu_err *err);

/*
 * Call when the library failed with rc and *err to give the job's state.  Asks
 * again, because its answer may have concerned another job (noe-abi 4.9): each
 * job in flight, and each that timed out, may spoil one answer.  If the library
 * answers now, only this frame has failed: returns rc, or NPU_EDEVICE instead
 * of NPU_ENODEV.  If it does not answer, the device is gone: returns
 * NPU_ENODEV.  err must not be NULL.
 */
int frame_recheck(struct npu *n, struct frame *f, unsigned in_flight, int rc,
    struct npu_err *err);

/*
 * Cleans the job.  If it still runs after grace_ms, adds it to the jobs that
 * timed out instead: cleaning a running job would free buffers that the device
 * may still write to (noe-abi 4.10).
 */
void frame_end(struct npu *n, struct frame *f, int32_t grace_ms);

/* Returns the milliseconds to wait for the job, or < 0 for ever.  Even without
 * a timeout, a reused job has a limit, by which a hang is noticed. */
int32_t frame_timeout(const struct npu *n, const struct frame *f);

/*
 * Call when a reused job timed out: the driver hangs on reuse (noe-abi 4.12).
 * Reports that with npu_options.note and makes a fresh job for each inference
 * from now on.  Waits for the old job only now: if it still runs after
 * grace_ms, it stays uncleaned until npu_close().
 */
void frame_retry_fresh(struct npu *n, struct frame *f, int32_t grace_ms);

/* Frees the job that npu_run() has kept, if any, because it holds memory that a
 * queue may need. */
void frame_drop_kept(struct npu *n);

/* Cleans the jobs that timed out and have since ended (noe-abi 4.11); returns
 * how many. */
unsigned timed_out_reap(struct npu *n);

/*
 * Waits up to GRACE_MS until no more than 'most' of the jobs that timed out
 * still run.  Fails with NPU_EDEVICE if more still run, with NPU_ESTOPPED, or
 * with the library's error if it does not give their state.
 */
int timed_out_drain(struct npu *n, unsigned most, struct npu_err *err);

#endif
