/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the frames of files by their sizes, for progress. */
#ifndef CMD_TENSORS_FRAME_COUNT_H
#define CMD_TENSORS_FRAME_COUNT_H

#include "npu.h"

/*
 * Returns how many frames of these inputs the n files have, computed from the
 * size of each file and its first frame.  NULL and "-" are stdin.  Returns 0,
 * unknown, for an archive, and if something is not a regular file or cannot be
 * read.
 */
uint64_t frame_count(char *const *files, int n, const struct npu_tensor *input,
    uint32_t inputs);

#endif
