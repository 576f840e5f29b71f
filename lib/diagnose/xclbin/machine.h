/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks whether this machine can run an xclbin: its AMD NPU, the driver
 * amdxdna, the node, limits, and what the owner of an NPU is asked for first.
 * Reads files of /sys and /proc that every user may read, and asks the driver
 * two questions that change nothing.
 */
#ifndef DIAGNOSE_XCLBIN_MACHINE_H
#define DIAGNOSE_XCLBIN_MACHINE_H

#include "diagnose/health/health.h"
#include "model/txn.h"
#include "xdna_abi.h"

/* device, driver, node, limits, firmware, interface, power, iommu, container */
enum { XCLBIN_MACHINE_CHECKS = 9 };

/* What the checked files need from the NPU. */
struct xclbin_demands {
	const char *file;		/* the file that needs the most columns;
					   NULL: none */
	unsigned columns;
	const char *stream_name;
	const struct txn *stream;	/* NULL: none */
};

/*
 * Runs the checks, in order.  root is "" for this machine, or else a folder
 * with a copy of its dev, proc and sys.  With calls NULL, the node only has to
 * exist and is not opened, because a copy of a node is not a device.
 *
 * The check of the device fails if the NPU has fewer columns than a file needs,
 * or if the stream is for NPUs of another generation.  Only the first three
 * checks can fail; limits, iommu and the rest can warn.  Without an AMD NPU all
 * checks are skipped.  Returns 0; or NPU_ESYSTEM, with the file's name, if a
 * file could not be read because the system has too little of a resource.
 */
int xclbin_check_machine(const char *root, const struct xdna_calls *calls,
    const struct xclbin_demands *demands,
    struct health_check checks[XCLBIN_MACHINE_CHECKS], struct npu_err *err);

#endif
