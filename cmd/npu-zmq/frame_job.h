/* SPDX-License-Identifier: Apache-2.0 */
/* The inference of a frame, and lists of these in their order. */
#ifndef NPU_ZMQ_FRAME_JOB_H
#define NPU_ZMQ_FRAME_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "npu.h"

/* One inference.  The caller sets in and owner. */
struct frame_job {
	uint8_t *in;		/* owned: the model's input */
	void *owner;

	uint8_t *out;		/* owned: the model's output */
	int rc;			/* how it ended; if negative, err says why */
	struct npu_err err;
	/* clock_ns(); 0: not yet. */
	uint64_t added, begun, ended;
	uint64_t infer_ns;
	struct frame_job *next;
};

/* Also of NULL. */
void job_free(struct frame_job *job);

struct frame_jobs {
	struct frame_job *first, *last;
	size_t n;
};

void jobs_add(struct frame_jobs *l, struct frame_job *job);
/* Takes the first; NULL if the list is empty. */
struct frame_job *jobs_take(struct frame_jobs *l);
/* Takes the job out of the list, which keeps its order; false if it is not
 * there. */
bool jobs_remove(struct frame_jobs *l, const struct frame_job *job);

#endif
