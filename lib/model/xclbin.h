/* SPDX-License-Identifier: Apache-2.0 */
/* What a container has for an NPU: its sections, read as far as they can be. */
#ifndef MODEL_XCLBIN_H
#define MODEL_XCLBIN_H

#include "model/axlf_lists.h"
#include "model/axlf_partition.h"
#include "model/dpu_kernels.h"

struct xclbin {
	struct axlf axlf;
	bool has_partition;
	struct axlf_partition partition;	/* of the first AIE_PARTITION */
	struct dpu_kernels kernels;
	struct axlf_list ips;			/* IP_LAYOUT */
	/* "" or why the partition, the kernels cannot be read, or not all. */
	struct npu_err partition_err, kernels_err;
};

/* Fails only where the header cannot be read.  Free *x in any case. */
int xclbin_read(struct xclbin *x, struct bytes file, struct npu_err *err);
void xclbin_free(struct xclbin *x);

#endif
