/* SPDX-License-Identifier: Apache-2.0 */
/* What the emulated array computes: NPU_TWIN. */
#ifndef EMU_XDNA_TWIN_H
#define EMU_XDNA_TWIN_H

#include "npu.h"

/* Computes out from in, both in bytes and aligned for words.  Fails if no twin
 * has the name, or the sizes do not fit the twin. */
int xemu_twin(const void *in, size_t in_n, void *out, size_t out_n,
    struct npu_err *err);

#endif
