/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of reference kernels: what each takes and gives for one frame, and
 * the function that computes it.  npu-ref runs them by name.
 */
#ifndef REF_KERNEL_H
#define REF_KERNEL_H

#include "npu.h"

struct ref_kernel {
	const char *name;
	struct npu_tensor in, out;	/* of one frame; scale 1 */
	bool has_rows;		/* a frame is a row, which may have another
				   length: ref_kernel_row() */
	/* Computes one frame of in->size and out->size bytes, which must be
	 * aligned for their types and not overlap. */
	void (*compute)(const struct ref_kernel *k, const void *in, void *out);
};

extern const struct ref_kernel ref_kernels[];	/* ends with a name of NULL */

/* The kernel of that name, or NULL. */
const struct ref_kernel *ref_kernel_find(const char *name);

/* Sets *row to *k, which has_rows, for rows of n elements, 1 to
 * REF_LAYERNORM_LONGEST. */
void ref_kernel_row(const struct ref_kernel *k, uint32_t n,
    struct ref_kernel *row);

#endif
