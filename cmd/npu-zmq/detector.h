/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a detector's inferences in a thread that makes all calls of the vendor's
 * library, which hears of a job's end only in the thread that submitted it
 * (architecture, The device).  Jobs begin in the order in which they were
 * added.  A model whose inference did not end in time, or whose device is gone,
 * is unloaded and loaded again after 1, 2, 4 ... 30 s.
 */
#ifndef NPU_ZMQ_DETECTOR_H
#define NPU_ZMQ_DETECTOR_H

#include "frame_job.h"

struct detector_options {
	const char *path, *name;	/* of the model */
	uint64_t in_size;		/* bytes that the file says */
	unsigned in_flight;
	size_t waiting;			/* jobs that have not begun */
	int32_t wait_ms;		/* a job must begin within it; < 0: no
					   limit */
};

struct detector_state {
	size_t waiting;
	unsigned in_flight;
	uint64_t resets;		/* loaded again */
	bool down;
	char reason[400];
};

struct detector;

/* Loads the model, and writes what its output is; dies if that fails. */
struct detector *detector_open(const struct detector_options *options,
    struct npu_tensor *out);
/* Ends the thread and unloads the model.  Jobs that it has are freed. */
void detector_close(struct detector *d);

/* Readable once a job has ended; detector_ended() takes it, NULL after the
 * last. */
int detector_fd(const struct detector *d);
struct frame_job *detector_ended(struct detector *d);

/* Takes the job, or is negative with a reason for the client. */
int detector_add(struct detector *d, struct frame_job *job,
    struct npu_err *err);
/* Takes a job back that has not begun; false if it has. */
bool detector_withdraw(struct detector *d, struct frame_job *job);
/* Ends jobs that have waited for too long. */
void detector_expire(struct detector *d);
/* Takes no more jobs.  abandon: ends all that it has, with an error. */
void detector_quiesce(struct detector *d, bool abandon);

void detector_state(struct detector *d, struct detector_state *state);
/* Whether a call of the vendor's library does not return. */
bool detector_is_stuck(struct detector *d);

#endif
