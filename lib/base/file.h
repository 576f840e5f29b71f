/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/buf.h"
#include "npu.h"

/*
 * Adds the rest of fd to *b: at most limit bytes, or fails with NPU_EFORMAT
 * naming the limit and, of a regular file, the bytes that are left.  Memory is
 * allocated for bytes that have arrived, and for the size of a regular file.
 * On failure the caller still frees *b.
 */
int file_read(int fd, size_t limit, struct buf *b, struct npu_err *err);

/* Adds a whole file of at most limit bytes to *out. */
int file_load(const char *path, size_t limit, struct buf *out,
    struct npu_err *err);

/*
 * The name under which a file at path is replaced: where its symbolic links
 * lead, whether that exists or not.  A link below /proc is not followed: it
 * stands for an open file.  Owned by the caller.  NULL with errno: ELOOP,
 * as open(2) sets it, ENOMEM, or an errno of readlink(2).
 */
char *file_target(const char *path);

/*
 * The flag for mmap() of a file that will be read whole: MAP_POPULATE, which
 * maps all pages at once, sooner than one after the other.  0 for a file of
 * half the memory or more, whose pages would drive each other out.
 */
int file_map_flags(uint64_t size);

#endif
