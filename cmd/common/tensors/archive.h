/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of several arrays, as a part of stream.c: .npz, which is read from
 * front to back, and .safetensors, which has a header in front of all.
 */
#ifndef CMD_TENSORS_ARCHIVE_H
#define CMD_TENSORS_ARCHIVE_H

#include "stream.h"

struct archive;

/* An archive for a stream that begins with the signature of .npz. */
struct archive *archive_open_npz(struct npu_err *err);
/* One for a stream whose file is a .safetensors: 1, 0 if it is not, or
 * negative.  Reads nothing of it yet. */
int archive_open_safetensors(const struct stream *s, struct archive **a,
    struct npu_err *err);

/*
 * Moves on to the next array and sets *t, with its name: 1, 0 after the last,
 * or negative.  Elements follow in the stream.
 */
int archive_next(struct archive *a, struct stream *s, struct npu_tensor *t,
    struct npu_err *err);

/* Reads payload of the array at hand, as stream_read_bytes() does. */
int64_t archive_read(struct archive *a, struct stream *s, void *p, size_t n,
    struct npu_err *err);

void archive_close(struct archive *a);	/* NULL is allowed */

#endif
