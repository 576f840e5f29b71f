/* SPDX-License-Identifier: Apache-2.0 */
/* struct npu, which open.c makes and run.c and queue.c use. */
#ifndef DEVICE_NPU_IMPL_H
#define DEVICE_NPU_IMPL_H

#include <pthread.h>
#include <sys/stat.h>

#include "device/job.h"

/* A queue starts nothing while depth jobs that timed out still run. */
#define TIMED_OUT_MAX (2 * NPU_QUEUE_MAX)

struct npu {
	struct session s;
	pthread_t thread;	/* opened it, and gets its results (noe-abi
				   1.12) */
	int model_fd;
	struct stat validated;	/* of the model file before it was read */
	struct npu_tensor *in, *out;
	uint32_t n_in, n_out;
	uint64_t in_size, out_size;
	struct npu_options opt;
	bool reuse;		/* jobs are still reused */
	bool proven;		/* the driver has run a job twice */
	uint64_t kept;		/* the job that npu_run() reuses; 0: none */
	struct npu_queue *queue;	/* the open queue, or NULL */
	bool closed;		/* npu_close() was called before the queue was
				   closed */
	/* Jobs that timed out and still ran when last polled. */
	uint64_t timed_out[TIMED_OUT_MAX];
	unsigned n_timed_out;
	struct npu_times times;
	struct npu_startup opened;
};

/* Fails with NPU_EUSAGE in any thread but n's. */
int npu_check_thread(const struct npu *n, struct npu_err *err);

#endif
