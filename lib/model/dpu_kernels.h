/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EMBEDDED_METADATA, the XML that describes a container's kernels: xclbin(5).
 * What counts is in the first /project/platform/device/core, as for libxrt 2.25
 * (XRT 963c58ee, core/common/xclbin_parser.cpp).  Attributes are kept as texts,
 * because a number that cannot be read is a finding, not a reason to stop.
 *
 * A document type with declarations of its own is refused: no tool for xclbin
 * files writes one, and its entities and default values can multiply a small
 * file by millions.
 *
 * dpu_kernels.c is the only file that uses libexpat.
 */
#ifndef MODEL_DPU_KERNELS_H
#define MODEL_DPU_KERNELS_H

#include "base/bytes.h"
#include "npu.h"

/* NULL: the attribute is not there. */
struct dpu_argument {
	char *name, *id, *offset, *size, *host_size, *qualifier, *type;
};

struct dpu_kernel {
	char *name, *type;
	bool extended;			/* it has an extended-data */
	char *id, *functional;		/* from there */
	struct dpu_argument *argument;
	size_t arguments;
	char **instance;		/* an item is NULL where it lacks the
					   name */
	size_t instances;
};

struct dpu_kernels {
	bool core;			/* has /project/platform/device/core */
	struct dpu_kernel *kernel;	/* owned, with all texts */
	size_t n;
};

enum { DPU_KERNELS_BYTES = 16 << 20 };	/* the most that are read */

/*
 * Reads the section, up to its first NUL.  NPU_EFORMAT: it is not well-formed
 * XML, declares entities, or is too long; then *k has what came before the
 * error.  Free *k in any case.
 */
int dpu_kernels_read(struct dpu_kernels *k, struct bytes xml,
    struct npu_err *err);
void dpu_kernels_free(struct dpu_kernels *k);

/* Whether libxrt takes it for a kernel of the NPU. */
bool dpu_kernel_counts(const struct dpu_kernel *k);

/* Whether an argument with this addressQualifier is an address in memory:
 * GLOBAL and CONSTANT are. */
bool dpu_is_pointer(uint64_t qualifier);

/* Reads an addressQualifier as libxrt does: digits, of 64 bits.  text may be
 * NULL.  False: it is something else. */
bool dpu_qualifier(const char *text, uint64_t *qualifier);

/*
 * A number as libxrt reads one, strtoul() with base 0: what follows the number
 * is ignored, and an empty text is 0.  False: it is not a number, or too large.
 * *junk, which may be NULL: something follows it.
 */
bool dpu_number(const char *text, uint64_t *number, bool *junk);

#endif
