/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of a kernel for an NPU: what each is for, and which elements of
 * EMBEDDED_METADATA are one argument.
 */
#ifndef MODEL_DPU_ARGUMENTS_H
#define MODEL_DPU_ARGUMENTS_H

#include "model/dpu_kernels.h"

/* What the compiler's kernels take before their buffers, by name. */
enum dpu_role { DPU_OPCODE, DPU_INSTR, DPU_NINSTR, DPU_OTHER };

enum dpu_role dpu_argument_role(const struct dpu_argument *a);

/* Whether the argument is an address in memory. */
bool dpu_argument_is_pointer(const struct dpu_argument *a);

#define DPU_NO_ID UINT64_MAX

/* The number of an argument; DPU_NO_ID if it has none. */
uint64_t dpu_argument_id(const struct dpu_argument *a);

/*
 * One argument as libxrt sees it: elements with equal ids are one argument,
 * which has the name and the qualifier of the first element, the smallest
 * offset, and the sum of the sizes (XRT 963c58ee, core/common/
 * xclbin_parser.cpp, merge_args()).  An element without an id stays alone.
 */
struct dpu_merged {
	const struct dpu_argument *first;
	uint64_t id;			/* or DPU_NO_ID */
	uint64_t offset, size;		/* bytes; UINT64_MAX stands for any
					   greater sum */
};

struct dpu_arguments {
	struct dpu_merged *item;	/* ids ascend; those without come
					   last */
	size_t n;
	size_t numbered;		/* items that have an id */
};

/* Merges the arguments of a kernel whose attributes all are there and, where
 * they must be, numbers.  Returns 0 or NPU_ESYSTEM.  Items point into *k. */
int dpu_arguments_merge(struct dpu_arguments *a, const struct dpu_kernel *k);
void dpu_arguments_free(struct dpu_arguments *a);

/* Where an argument's registers end; bytes. */
uint64_t dpu_merged_end(const struct dpu_merged *m);

#endif
