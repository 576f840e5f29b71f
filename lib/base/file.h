/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/buf.h"
#include "npu.h"

/*
 * Adds the rest of fd to *b.  Fails with NPU_EFORMAT if that is more than limit
 * bytes; the message gives the limit and, for a regular file, the number of
 * bytes left.  Memory is allocated for bytes that have arrived, and for the
 * size of a regular file.  On failure the caller still frees *b.
 */
int file_read(int fd, size_t limit, struct buf *b, struct npu_err *err);

/* Adds a whole file, of at most limit bytes, to *out. */
int file_load(const char *path, size_t limit, struct buf *out,
    struct npu_err *err);

/*
 * Returns the name under which to replace the file at path: the target of its
 * symbolic links, which need not exist.  A link below /proc is not followed,
 * because it stands for an open file.  The caller frees the name.  Returns NULL
 * with errno: ELOOP, as open(2) sets it, ENOMEM, or an errno of readlink(2).
 */
char *file_target(const char *path);

/*
 * Returns the flag for mmap() of a file that will be read whole: MAP_POPULATE,
 * because mapping all pages at once is faster than one by one.  Returns 0 if
 * the file has half the size of the memory or more: its pages would push each
 * other out.
 */
int file_map_flags(uint64_t size);

#endif
