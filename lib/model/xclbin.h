/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a container for an NPU, as far as they can be read. */
#ifndef MODEL_XCLBIN_H
#define MODEL_XCLBIN_H

#include "model/axlf_lists.h"
#include "model/axlf_partition.h"
#include "model/dpu_kernels.h"

struct xclbin {
	struct axlf axlf;
	bool has_partition;
	struct axlf_partition partition;	/* the first AIE_PARTITION */
	struct dpu_kernels kernels;
	struct axlf_list ips;			/* IP_LAYOUT */
	/* Why the partition or the kernels cannot be read, or not completely;
	 * or "". */
	struct npu_err partition_err, kernels_err;
};

/* Reads the container.  Fails only if the header cannot be read, or if out of
 * memory.  Free *x in any case. */
int xclbin_read(struct xclbin *x, struct bytes file, struct npu_err *err);
void xclbin_free(struct xclbin *x);

#endif
