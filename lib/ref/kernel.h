/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of reference kernels: the input and output of a frame, and the
 * function that computes the frame.  npu-ref runs the kernels by name.
 */
#ifndef REF_KERNEL_H
#define REF_KERNEL_H

#include "npu.h"

struct ref_kernel {
	const char *name;
	struct npu_tensor in, out;	/* for one frame; scale 1 */
	bool has_rows;		/* a frame is a row, which may have another
				 * length: ref_kernel_row() */
	/* Computes one frame of in->size and out->size bytes, which must be
	 * aligned for their types and must not overlap. */
	void (*compute)(const struct ref_kernel *k, const void *in, void *out);
};

extern const struct ref_kernel ref_kernels[];	/* ends with a name of NULL */

/* Returns the kernel with the name, or NULL. */
const struct ref_kernel *ref_kernel_find(const char *name);

/* Sets *row to *k for rows of n elements, 1 to REF_LAYERNORM_LONGEST.
 * k->has_rows must be true. */
void ref_kernel_row(const struct ref_kernel *k, uint32_t n,
    struct ref_kernel *row);

#endif
