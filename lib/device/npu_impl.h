/* SPDX-License-Identifier: Apache-2.0 */
/* struct npu, shared by open.c, which makes it, and run.c, which uses it. */
#ifndef DEVICE_NPU_IMPL_H
#define DEVICE_NPU_IMPL_H

#include "device/job.h"

struct npu {
	struct session s;
	int model_fd;
	struct npu_tensor *in, *out;
	uint32_t n_in, n_out;
	uint64_t in_size, out_size;
	struct npu_options opt;
	bool reuse;		/* still worth trying */
	uint64_t kept;		/* the reused job; 0: none */
	bool kept_used;		/* it has run before */
	uint64_t late;		/* a timed-out job that still ran when it was
				   last looked at; 0: none */
	struct npu_times times;
};

#endif
