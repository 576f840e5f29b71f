/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of a kernel for an NPU: the purpose of each argument, and which
 * elements of EMBEDDED_METADATA form one argument.
 */
#ifndef MODEL_DPU_ARGUMENTS_H
#define MODEL_DPU_ARGUMENTS_H

#include "model/dpu_kernels.h"

/* The arguments before the buffers in kernels of the compiler, identified by
 * name. */
enum dpu_role { DPU_OPCODE, DPU_INSTR, DPU_NINSTR, DPU_OTHER };

enum dpu_role dpu_argument_role(const struct dpu_argument *a);

/* Returns whether the argument is an address in memory. */
bool dpu_argument_is_pointer(const struct dpu_argument *a);

#define DPU_NO_ID UINT64_MAX

/* Returns the number of an argument, or DPU_NO_ID if it has no number. */
uint64_t dpu_argument_id(const struct dpu_argument *a);

/*
 * One argument as libxrt sees it.  Elements with equal ids form one argument,
 * with the name and the qualifier of the first element, the smallest offset,
 * and the sum of the sizes (XRT 963c58ee, core/common/xclbin_parser.cpp,
 * merge_args()).  An element without an id stays alone.
 */
struct dpu_merged {
	const struct dpu_argument *first;
	uint64_t id;			/* or DPU_NO_ID */
	uint64_t offset, size;		/* bytes; sums above UINT64_MAX become
					 * UINT64_MAX */
};

struct dpu_arguments {
	struct dpu_merged *item;	/* by rising id; items without an id
					 * come last */
	size_t n;
	size_t numbered;		/* items that have an id */
};

/* Merges the arguments of a kernel.  All attributes must exist, and numeric
 * attributes must be numbers.  Returns 0 or NPU_ESYSTEM.  Items point into
 * *k. */
int dpu_arguments_merge(struct dpu_arguments *a, const struct dpu_kernel *k);
void dpu_arguments_free(struct dpu_arguments *a);

/* Returns the end of an argument's registers, in bytes. */
uint64_t dpu_merged_end(const struct dpu_merged *m);

#endif
