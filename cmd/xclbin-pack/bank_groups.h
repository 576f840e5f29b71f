/* SPDX-License-Identifier: Apache-2.0 */
/* Derives GROUP_CONNECTIVITY from CONNECTIVITY, as xclbinutil does. */
#ifndef XCLBIN_PACK_BANK_GROUPS_H
#define XCLBIN_PACK_BANK_GROUPS_H

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

/*
 * Adds the bytes of the section to *out, or nothing if the list is empty.
 * NPU_EFORMAT if a connection names a memory that does not exist, or if the
 * memories of an argument are adjacent: xclbinutil would merge them, which is
 * not done here.
 */
int bank_groups(struct bytes connectivity, struct bytes memories,
    struct buf *out, struct npu_err *err);

#endif
