/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compute units of a container: the entries of IP_LAYOUT named
 * KERNEL:INSTANCE, after a kernel of EMBEDDED_METADATA that libxrt recognises.
 * libxrt passes all units to the driver at once, and the driver takes at most
 * 32 (Linux, drivers/accel/amdxdna/aie2_msg_priv.h, MAX_NUM_CUS).
 */
#ifndef MODEL_XCLBIN_UNITS_H
#define MODEL_XCLBIN_UNITS_H

#include "model/xclbin.h"

enum { XCLBIN_UNITS = 32 };

struct xclbin_unit {
	const struct dpu_kernel *kernel;	/* the first kernel of the
						 * name */
	uint32_t entry;				/* index in IP_LAYOUT */
};

struct xclbin_units {
	struct xclbin_unit unit[XCLBIN_UNITS];
	size_t n;
	bool more;		/* more units, which the driver refuses */
};

/* Finds the units of a container in which all kernels have a name.  Returns 0
 * or NPU_ESYSTEM. */
int xclbin_find_units(struct xclbin_units *u, const struct xclbin *x);

#endif
