/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compute units of a container: the entries of IP_LAYOUT that are called
 * KERNEL:INSTANCE, after a kernel of EMBEDDED_METADATA that libxrt knows.
 * libxrt hands all of them to the driver at once, which takes no more than 32
 * (Linux, drivers/accel/amdxdna/aie2_msg_priv.h, MAX_NUM_CUS).
 */
#ifndef MODEL_XCLBIN_UNITS_H
#define MODEL_XCLBIN_UNITS_H

#include "model/xclbin.h"

enum { XCLBIN_UNITS = 32 };

struct xclbin_unit {
	const struct dpu_kernel *kernel;	/* the first of that name */
	uint32_t entry;				/* of IP_LAYOUT */
};

struct xclbin_units {
	struct xclbin_unit unit[XCLBIN_UNITS];
	size_t n;
	bool more;		/* there are more, which the driver refuses */
};

/* Finds the units of a container whose kernels all have a name.  Returns 0 or
 * NPU_ESYSTEM. */
int xclbin_find_units(struct xclbin_units *u, const struct xclbin *x);

#endif
