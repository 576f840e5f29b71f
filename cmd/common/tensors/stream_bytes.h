/* SPDX-License-Identifier: Apache-2.0 */
/* The functions with which the parts of a stream read its bytes. */
#ifndef CMD_TENSORS_STREAM_BYTES_H
#define CMD_TENSORS_STREAM_BYTES_H

#include "stream.h"

/* Reads up to n bytes, beginning with the bytes read ahead.  Returns their
 * number, or negative. */
int64_t stream_read_bytes(struct stream *s, void *p, size_t n,
    struct npu_err *err);
/* Reads n bytes.  Returns 1, or 0 at the end.  A partial read is an error,
 * whose message uses the name what. */
int stream_all_or_none(struct stream *s, void *p, size_t n, const char *what,
    struct npu_err *err);

/* The errors of a read() that failed, and of a read() that a signal ended. */
int stream_cannot_read(struct npu_err *err);
int stream_stopped(struct npu_err *err);

#endif
