/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that IP_LAYOUT is consistent, and agrees with AIE_PARTITION. */
#ifndef XCLBIN_PACK_LAYOUT_CHECK_H
#define XCLBIN_PACK_LAYOUT_CHECK_H

#include "draft.h"

/*
 * Fails with NPU_EFORMAT if a new IP_LAYOUT has two entries with the same name.
 * If there is a new AIE_PARTITION, fails also if an entry for a DPU has an id
 * that is in no group of a partition.  merged: the first entries are from the
 * container of --input, so the message suggests to remove them.
 */
int layout_check(const struct draft *c, bool merged, struct npu_err *err);

#endif
