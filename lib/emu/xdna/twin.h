/* SPDX-License-Identifier: Apache-2.0 */
/* NPU_TWIN: what the emulated array computes. */
#ifndef EMU_XDNA_TWIN_H
#define EMU_XDNA_TWIN_H

#include "npu.h"

/* Computes out from in.  Both sizes are in bytes, and both buffers are aligned
 * for words.  Fails if no twin has the name, or if the sizes do not fit the
 * twin. */
int xemu_twin(const void *in, size_t in_n, void *out, size_t out_n,
    struct npu_err *err);

#endif
