/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an xclbin from a file or stdin. */
#ifndef CMD_XCLBIN_LOAD_H
#define CMD_XCLBIN_LOAD_H

#include "cmd.h"

/*
 * Adds the file, or stdin ("-"), to *b.  If the file does not begin as an
 * xclbin, adds only the beginning, which shows what the file is, even if the
 * rest is long.  Fails with NPU_EFORMAT if it has more than 1 GiB.  The caller
 * frees *b in any case.
 */
int xclbin_load(const char *path, struct buf *b, struct npu_err *err);

#endif
