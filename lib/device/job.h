/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of a job: create, load, submit, wait, get, clean.  Only this module
 * relies on these facts: a config is never NULL, the thread that submits a job
 * gets its completion, a timeout is 0x23, and only some calls are allowed for a
 * job after an error (noe-abi 1.4, 1.12, 1.6, 4.11).
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

/* Makes a job.  Clean it even on failure if *job was set (noe-abi 4.7). */
int job_create(const struct session *s, uint64_t *job, struct npu_err *err);
void job_clean(const struct session *s, uint64_t job);
int job_submit(const struct session *s, uint64_t job, struct npu_err *err);

enum { JOB_DONE = 0, JOB_RUNNING = 1 };

/*
 * Asks once for the state of a submitted job, for at most slice_ms (0: without
 * waiting).  Returns JOB_DONE, JOB_RUNNING, or negative.  *over: the job has
 * ended, with or without success, and may be cleaned; false if the library gave
 * no state.
 */
int job_poll(const struct session *s, uint64_t job, int32_t slice_ms,
    bool *over, struct npu_err *err);

/* The longest time between two checks of the stop flag. */
#define JOB_SLICE_MS 100

/*
 * To wait, call job_poll() in a loop.  job_deadline() returns the time ms after
 * from, or never for ms < 0.  job_slice() returns how long the next job_poll()
 * may take, 0 after the deadline.  job_stopped() returns whether the stop flag
 * is set; call it before each job_poll().
 */
uint64_t job_deadline(uint64_t from, int64_t ms);
int32_t job_slice(uint64_t deadline);
bool job_stopped(const struct session *s);
/* Fails with NPU_ETIMEOUT and "no result after ...". */
int job_timeout_error(int32_t timeout_ms, struct npu_err *err);

/*
 * Waits at most timeout_ms (< 0: for ever) for a submitted job.  Returns 0 when
 * it is done, NPU_EDEVICE after an exception, NPU_ETIMEOUT if it still runs,
 * NPU_ESTOPPED if the session was stopped while the job runs.
 */
int job_wait(const struct session *s, uint64_t job, int32_t timeout_ms,
    bool *over, struct npu_err *err);

/*
 * Gives a job up to grace_ms to end, even if the stop flag is set: the job may
 * still write to its buffers, which cleaning would free (noe-abi 4.10).
 * Returns true if it has ended, false if it runs or its state cannot be read.
 */
bool job_drain(const struct session *s, uint64_t job, int32_t grace_ms);

#endif
