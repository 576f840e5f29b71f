/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of one job: create, load, submit, wait, get, clean.  Knows that a
 * config is never NULL, that completion belongs to the submitting thread, that
 * a timeout is 0x23, and what a job is good for after trouble (noe-abi 1.4,
 * 1.12, 1.6, 4.11).
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

/* *job is set even when this fails late: clean it then (noe-abi 4.7). */
int job_create(const struct session *s, uint64_t *job, struct npu_err *err);
void job_clean(const struct session *s, uint64_t job);
int job_submit(const struct session *s, uint64_t job, struct npu_err *err);

enum { JOB_DONE = 0, JOB_RUNNING = 1 };

/*
 * One look at a submitted job, of at most slice_ms (0: without waiting):
 * JOB_DONE, JOB_RUNNING, or negative.  *over: it has ended, well or badly, and
 * may be cleaned; a question that fails leaves that open.
 */
int job_poll(const struct session *s, uint64_t job, int32_t slice_ms,
    bool *over, struct npu_err *err);

/* Between two looks at the stop flag while a job runs. */
#define JOB_SLICE_MS 100

/* For a wait made of looks: the moment ms after from (ms < 0: never comes);
 * how long the next look may take, 0 when that moment has come; and the stop
 * flag, which is to be asked before each look. */
uint64_t job_deadline(uint64_t from, int64_t ms);
int32_t job_slice(uint64_t deadline);
bool job_stopped(const struct session *s);
/* "no result after ...": NPU_ETIMEOUT. */
int job_timeout_error(int32_t timeout_ms, struct npu_err *err);

/*
 * Wait at most timeout_ms (< 0: without end) for a submitted job.  Returns 0
 * when it is done, NPU_EDEVICE for an exception, NPU_ETIMEOUT when it still
 * runs, NPU_ESTOPPED when the session was stopped while it runs.
 */
int job_wait(const struct session *s, uint64_t job, int32_t timeout_ms,
    bool *over, struct npu_err *err);

/*
 * The job may still be writing to its buffers, which cleaning would free
 * (4.10): give it grace_ms to end, whatever the stop flag says.  True if it
 * has ended, false also if that cannot be learnt.
 */
bool job_drain(const struct session *s, uint64_t job, int32_t grace_ms);

#endif
