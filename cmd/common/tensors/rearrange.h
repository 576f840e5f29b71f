/* SPDX-License-Identifier: Apache-2.0 */
/* Rearranges a picture's numbers: channels first or last, and which channel is
 * first. */
#ifndef CMD_TENSORS_REARRANGE_H
#define CMD_TENSORS_REARRANGE_H

#include <stdbool.h>

#include "npu.h"

struct rearrangement {
	enum { LAYOUT_KEPT, LAYOUT_CHW, LAYOUT_HWC } layout;	/* the layout
								   to produce */
	bool swap;		/* put the last of three channels first */
};

/*
 * Writes the t->size bytes at from, a picture of three dimensions or several
 * pictures of four, in another order to to, and sets the new shape in *t.  With
 * a layout, *t must have the other layout; without, the channels are the only
 * dimension of 3.  Fails with NPU_EUSAGE for other shapes, and for elements
 * that are not whole bytes.
 */
int rearrange(const struct rearrangement *r, struct npu_tensor *t,
    const void *from, void *to, struct npu_err *err);

#endif
