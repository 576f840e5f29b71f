/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether an xclbin can run on an NPU: the rules of libxrt 2.25 and of the
 * kernel's driver, each checked by itself.  The rules were measured with libxrt
 * 2.25.0 (Debian 1:2.25.0-4), on files with one fault each; no NPU was used.
 */
#ifndef DIAGNOSE_XCLBIN_XCLBIN_H
#define DIAGNOSE_XCLBIN_XCLBIN_H

#include "base/bytes.h"
#include "diagnose/health/health.h"
#include "model/txn.h"

/* file, sections, partition, pdi, metadata, layout, kernel, memory, call */
enum { XCLBIN_CHECKS = 9 };

/*
 * Runs the checks, in order.  name is the file's in commands to type.  FAIL:
 * libxrt or the driver refuses the file; warn: it is odd; skip: it needs
 * another check.  Returns 0, or NPU_ESYSTEM: there was not enough memory.
 */
int xclbin_check(struct bytes file, const char *name,
    struct health_check checks[XCLBIN_CHECKS], struct npu_err *err);

/* An instruction stream, as txn_read() left it. */
struct xclbin_stream {
	struct txn txn;
	struct npu_err broken;	/* code 0: it could be read; otherwise
				   NPU_EFORMAT */
	bool lfs_pointer;	/* the file is a pointer of Git LFS */
};

/*
 * The same, and if stream is not NULL the check "insts" after the others:
 * whether the container can run the stream.  Then checks has room for one more,
 * and the check of memory fails if a buffer of the stream is connected to no
 * memory.
 */
int xclbin_check_with(struct bytes file, const char *name,
    const struct xclbin_stream *stream, struct health_check *checks,
    struct npu_err *err);

/* Whether no check fails. */
bool xclbin_runs(const struct health_check *checks, size_t n);

#endif
