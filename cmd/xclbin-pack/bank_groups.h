/* SPDX-License-Identifier: Apache-2.0 */
/* GROUP_CONNECTIVITY, as xclbinutil derives it from CONNECTIVITY. */
#ifndef XCLBIN_PACK_BANK_GROUPS_H
#define XCLBIN_PACK_BANK_GROUPS_H

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

/*
 * Adds the bytes of the section to *out: nothing if the list is empty.
 * NPU_EFORMAT: a connection is to a memory that is not there, or memories of
 * one argument adjoin, which xclbinutil would make one.
 */
int bank_groups(struct bytes connectivity, struct bytes memories,
    struct buf *out, struct npu_err *err);

#endif
