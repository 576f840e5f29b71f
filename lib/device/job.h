/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of one job: create, load, submit, wait, get, clean.  Only this
 * module knows that a config is never NULL, that completion belongs to the
 * submitting thread, that a timeout is 0x23, and which calls a job allows after
 * an error (noe-abi 1.4, 1.12, 1.6, 4.11).
 */
#ifndef DEVICE_JOB_H
#define DEVICE_JOB_H

#include "device/noe.h"

/* A graph loaded in a context. */
struct session {
	struct noe noe;
	context_handler_t *ctx;		/* NULL: none */
	uint64_t graph;
	bool loaded;
	const volatile sig_atomic_t *stop;	/* may be NULL */
};

/* *job may be set even on failure; clean it then (noe-abi 4.7). */
int job_create(const struct session *s, uint64_t *job, struct npu_err *err);
void job_clean(const struct session *s, uint64_t job);
int job_submit(const struct session *s, uint64_t job, struct npu_err *err);

enum { JOB_DONE = 0, JOB_RUNNING = 1 };

/*
 * Asks once for the state of a submitted job, for at most slice_ms (0: without
 * waiting): JOB_DONE, JOB_RUNNING, or negative.  *over: it has ended, with or
 * without success, and may be cleaned; false if the library gave no state.
 */
int job_poll(const struct session *s, uint64_t job, int32_t slice_ms,
    bool *over, struct npu_err *err);

/* The longest time between two looks at the stop flag. */
#define JOB_SLICE_MS 100

/*
 * A wait is a loop of job_poll().  job_deadline(): the time ms after from,
 * never for ms < 0.  job_slice(): how long the next job_poll() may take, 0 once
 * the deadline has passed.  job_stopped(): whether the stop flag is set; ask
 * before each job_poll().
 */
uint64_t job_deadline(uint64_t from, int64_t ms);
int32_t job_slice(uint64_t deadline);
bool job_stopped(const struct session *s);
/* Fails with NPU_ETIMEOUT and "no result after ...". */
int job_timeout_error(int32_t timeout_ms, struct npu_err *err);

/*
 * Waits at most timeout_ms (< 0: for ever) for a submitted job.  Returns 0 when
 * it is done, NPU_EDEVICE for an exception, NPU_ETIMEOUT while it still runs,
 * NPU_ESTOPPED if the session was stopped while it runs.
 */
int job_wait(const struct session *s, uint64_t job, int32_t timeout_ms,
    bool *over, struct npu_err *err);

/*
 * Gives a job up to grace_ms to end, whatever the stop flag says: it may still
 * write to its buffers, which cleaning would free (noe-abi 4.10).  True if it
 * has ended, false also if its state cannot be learnt.
 */
bool job_drain(const struct session *s, uint64_t job, int32_t grace_ms);

#endif
