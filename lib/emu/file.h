/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EMU_FILE_H
#define EMU_FILE_H

#include "base/buf.h"
#include "npu.h"

/* A whole file of at most limit bytes, added to *out. */
int file_load(const char *path, size_t limit, struct buf *out,
    struct npu_err *err);

#endif
