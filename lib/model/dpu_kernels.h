/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EMBEDDED_METADATA, the XML that describes a container's kernels: xclbin(5).
 * Only the first /project/platform/device/core is used, as in libxrt 2.25 (XRT
 * 963c58ee, core/common/xclbin_parser.cpp).  Attributes are kept as text,
 * because a number that cannot be read is a finding, not a reason to stop.
 *
 * A document type with declarations of its own is refused.  No tool for xclbin
 * files writes such declarations, and their entities and default values can
 * make a small file expand by millions.
 *
 * dpu_kernels.c is the only file that uses libexpat.
 */
#ifndef MODEL_DPU_KERNELS_H
#define MODEL_DPU_KERNELS_H

#include "base/bytes.h"
#include "npu.h"

/* NULL: the attribute is absent. */
struct dpu_argument {
	char *name, *id, *offset, *size, *host_size, *qualifier, *type;
};

struct dpu_kernel {
	char *name, *type;
	bool extended;			/* has an extended-data element */
	char *id, *functional;		/* from extended-data */
	struct dpu_argument *argument;
	size_t arguments;
	char **instance;		/* an item is NULL if it has no name */
	size_t instances;
};

struct dpu_kernels {
	bool core;			/* has /project/platform/device/core */
	struct dpu_kernel *kernel;	/* owned, with all texts */
	size_t n;
};

enum { DPU_KERNELS_BYTES = 16 << 20 };	/* the maximum */

/*
 * Reads the section up to its first NUL.  Fails with NPU_EFORMAT if it is not
 * well-formed XML, declares entities, or is too long; *k then has the kernels
 * before the error.  Free *k in any case.
 */
int dpu_kernels_read(struct dpu_kernels *k, struct bytes xml,
    struct npu_err *err);
void dpu_kernels_free(struct dpu_kernels *k);

/* Returns whether libxrt treats it as a kernel for the NPU. */
bool dpu_kernel_counts(const struct dpu_kernel *k);

/* Returns whether an argument with this addressQualifier is an address in
 * memory: GLOBAL and CONSTANT are. */
bool dpu_is_pointer(uint64_t qualifier);

/* Reads an addressQualifier as libxrt does: only digits, up to 64 bits.  text
 * may be NULL.  Returns false for anything else. */
bool dpu_qualifier(const char *text, uint64_t *qualifier);

/*
 * Reads a number as libxrt does, by strtoul() with base 0: text after the
 * number is ignored, and an empty text is 0.  Returns false if it is not a
 * number, or too large.  *junk (may be NULL): whether text follows the number.
 */
bool dpu_number(const char *text, uint64_t *number, bool *junk);

#endif
