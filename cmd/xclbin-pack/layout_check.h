/* SPDX-License-Identifier: Apache-2.0 */
/* Whether IP_LAYOUT agrees with itself and with AIE_PARTITION. */
#ifndef XCLBIN_PACK_LAYOUT_CHECK_H
#define XCLBIN_PACK_LAYOUT_CHECK_H

#include "draft.h"

/*
 * Fails with NPU_EFORMAT if an IP_LAYOUT made now has two entries of one name,
 * or if no group of an AIE_PARTITION made now has the id of a DPU's entry.
 * merged: the first entries are from a container, and can be removed.
 */
int layout_check(const struct draft *c, bool merged, struct npu_err *err);

#endif
