/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the inferences of requests.  Threads read requests, make the models'
 * inputs and write answers; one more thread, the device's, makes all calls of
 * the vendor's library, which hears of a job's end only in the thread that
 * submitted it (architecture, The device).
 *
 * Each role has its inferences in the order of arrival; roles have the threads
 * and the device in turn, whoever sends how much.
 */
#ifndef NPU_SERVE_SCHEDULER_H
#define NPU_SERVE_SCHEDULER_H

#include "request.h"

struct scheduler_options {
	unsigned threads;	/* beside the device's */
	unsigned in_flight;	/* inferences at a time, of all roles */
	size_t waiting;		/* inferences that have not begun */
	int32_t wait_ms;	/* that one of a request must begin within;
				   < 0: no limit */
	/* Called in any of the threads: makes r->item, or returns an HTTP
	 * status with the reason; ... */
	unsigned (*read)(struct request *r, struct npu_err *err);
	/* ... and takes the request back, with what came out of its items, or
	 * with r->failed and r->err. */
	void (*answer)(struct request *r);
};

/* What the scheduler does at the moment. */
struct scheduler_state {
	size_t waiting;
	unsigned in_flight;
	size_t requests;
	uint64_t items[ROLES];		/* that ended well, since the start */
	uint64_t failed[ROLES];		/* that did not */
	uint64_t resets;		/* models loaded again */
	uint64_t busy_ns;		/* time with an inference in flight */
	bool down[ROLES];
	char reason[ROLES][400];	/* why */
};

struct scheduler;

/* Starts the threads and loads the models of c; dies if one cannot be
 * loaded. */
struct scheduler *scheduler_open(const struct scheduler_options *options,
    struct catalogue *c);
/* Ends the threads and unloads the models; no request may be left. */
void scheduler_close(struct scheduler *s);

/* Whether the inferences that wait are as many as may. */
bool scheduler_full(struct scheduler *s);
/* Takes a whole request; options.answer() gets it back. */
void scheduler_add(struct scheduler *s, struct request *r);
/* Nobody waits for r: its inferences that have not begun are dropped. */
void scheduler_forget(struct scheduler *s, struct request *r);
/* Fails requests of which no inference has begun for too long. */
void scheduler_expire(struct scheduler *s);

/* Fails all requests, and waits until each is given back. */
void scheduler_drain(struct scheduler *s);

/* Whether a call of the vendor's library has not returned for a minute longer
 * than an inference may take. */
bool scheduler_is_stuck(struct scheduler *s);

void scheduler_state(struct scheduler *s, struct scheduler_state *state);

#endif
