/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/buf.h"
#include "npu.h"

/*
 * Adds all that fd has left to *b: at most limit bytes, or NPU_EFORMAT
 * naming the limit.  Memory is taken for what has arrived, and for what a
 * regular file says it has.  On failure *b is the caller's to free.
 */
int file_read(int fd, size_t limit, struct buf *b, struct npu_err *err);

/* A whole file of at most limit bytes, added to *out. */
int file_load(const char *path, size_t limit, struct buf *out,
    struct npu_err *err);

/* MAP_POPULATE for a file of which all will be read: its pages are mapped
 * sooner at once than one after the other.  0 for one of half the memory or
 * more, whose pages would drive each other out. */
int file_map_flags(uint64_t size);

#endif
