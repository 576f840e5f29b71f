/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks whether an xclbin can run on an NPU: the rules of libxrt 2.25 and of
 * the kernel's driver, each as a separate check.  The rules were measured with
 * libxrt 2.25.0 (Debian 1:2.25.0-4), on files with one fault each; no NPU was
 * used.
 */
#ifndef DIAGNOSE_XCLBIN_XCLBIN_H
#define DIAGNOSE_XCLBIN_XCLBIN_H

#include "base/bytes.h"
#include "diagnose/health/health.h"
#include "model/txn.h"

/* file, sections, partition, pdi, metadata, layout, kernel, memory, call */
enum { XCLBIN_CHECKS = 9 };

/*
 * Runs the checks, in order.  name is the file's name in commands to type.
 * FAIL: libxrt or the driver refuses the file; warn: the file is unusual; skip:
 * the check needs another check.  Returns 0, or NPU_ESYSTEM if there was not
 * enough memory.
 */
int xclbin_check(struct bytes file, const char *name,
    struct health_check checks[XCLBIN_CHECKS], struct npu_err *err);

/* An instruction stream, as read by txn_read(). */
struct xclbin_stream {
	struct txn txn;
	struct npu_err broken;	/* code 0: the stream could be read; else
				   NPU_EFORMAT */
	bool lfs_pointer;	/* the file is a Git LFS pointer */
};

/*
 * Does the same.  If stream is not NULL, also runs the check "insts" after the
 * others: whether the container can run the stream.  checks must then have room
 * for one more check, and the check of memory fails if a buffer of the stream
 * is not connected to a memory.
 */
int xclbin_check_with(struct bytes file, const char *name,
    const struct xclbin_stream *stream, struct health_check *checks,
    struct npu_err *err);

/* Returns whether no check fails. */
bool xclbin_runs(const struct health_check *checks, size_t n);

#endif
