/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a picture's numbers: channels first or last, and which channel
 * is first. */
#ifndef CMD_TENSORS_REARRANGE_H
#define CMD_TENSORS_REARRANGE_H

#include <stdbool.h>

#include "npu.h"

struct rearrangement {
	enum { LAYOUT_KEPT, LAYOUT_CHW, LAYOUT_HWC } layout;	/* wanted */
	bool swap;		/* the last of three channels first */
};

/*
 * Writes the t->size bytes at from, a picture of three dimensions or several of
 * four, in another order at to, and gives *t the new shape.  For a layout *t
 * has the other one; without, the only dimension of 3 are the channels.  Fails
 * with NPU_EUSAGE for other shapes, and for elements that are not whole bytes.
 */
int rearrange(const struct rearrangement *r, struct npu_tensor *t,
    const void *from, void *to, struct npu_err *err);

#endif
