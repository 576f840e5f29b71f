/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a stream read it by. */
#ifndef CMD_TENSORS_STREAM_BYTES_H
#define CMD_TENSORS_STREAM_BYTES_H

#include "stream.h"

/* Reads up to n bytes, those read ahead first: their number, or negative. */
int64_t stream_read_bytes(struct stream *s, void *p, size_t n,
    struct npu_err *err);
/* Reads n bytes: 1, or 0 at the end; a part of them is an error, which calls
 * them what. */
int stream_all_or_none(struct stream *s, void *p, size_t n, const char *what,
    struct npu_err *err);

/* The errors of a read() that failed, and of one that a signal ended. */
int stream_cannot_read(struct npu_err *err);
int stream_stopped(struct npu_err *err);

#endif
