/* SPDX-License-Identifier: Apache-2.0 */
/* struct npu, shared by open.c, which makes it, and run.c and queue.c, which
 * use it. */
#ifndef DEVICE_NPU_IMPL_H
#define DEVICE_NPU_IMPL_H

#include <sys/stat.h>

#include "device/job.h"

/* A queue starts nothing with as many late jobs as it is deep. */
#define TIMED_OUT_MAX (2 * NPU_QUEUE_MAX)

struct npu {
	struct session s;
	int model_fd;
	struct stat validated;	/* the model, before it was read */
	struct npu_tensor *in, *out;
	uint32_t n_in, n_out;
	uint64_t in_size, out_size;
	struct npu_options opt;
	bool reuse;		/* still worth trying */
	bool proven;		/* the driver ran a job twice */
	uint64_t kept;		/* npu_run()'s reused job; 0: none */
	struct npu_queue *queue;	/* open on it; NULL: none */
	/* Jobs given up, which still ran when they were last looked at. */
	uint64_t timed_out[TIMED_OUT_MAX];
	unsigned n_timed_out;
	struct npu_times times;
	struct npu_startup opened;
};

#endif
