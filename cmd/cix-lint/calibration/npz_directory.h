/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the members of a .npz by its directory, which is at the end of the
 * file. */
#ifndef CIX_LINT_NPZ_DIRECTORY_H
#define CIX_LINT_NPZ_DIRECTORY_H

#include "base/buf.h"
#include "npu.h"

enum { NPZ_MOST_ARRAYS = 4096 };	/* more than a model has inputs */

/* Reads n bytes of a file from a position.  Fails if the file ends before. */
int npz_read_at(int fd, void *p, size_t n, uint64_t at, struct npu_err *err);

/*
 * Adds a struct npz_member for each member of the file, which has size bytes,
 * to *members, in the order of the directory.  offset is the position of the
 * member's bytes, which are all within the file.
 */
int npz_directory(int fd, uint64_t size, struct buf *members,
    struct npu_err *err);

#endif
