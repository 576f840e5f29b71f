/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads files of several arrays, as a part of stream.c: .npz, which is read
 * from front to back, and .safetensors, whose only header is at the front.
 */
#ifndef CMD_TENSORS_ARCHIVE_H
#define CMD_TENSORS_ARCHIVE_H

#include "stream.h"

struct archive;

/* Opens an archive for a stream that begins with the signature of .npz. */
struct archive *archive_open_npz(struct npu_err *err);
/* Opens an archive for a stream whose file is a .safetensors.  Returns 1, or 0
 * for another kind of file, or negative.  Reads nothing from the stream. */
int archive_open_safetensors(const struct stream *s, struct archive **a,
    struct npu_err *err);

/*
 * Moves to the next array and sets *t, with its name.  Returns 1, or 0 after
 * the last array, or negative.  The array's elements follow in the stream.
 */
int archive_next(struct archive *a, struct stream *s, struct npu_tensor *t,
    struct npu_err *err);

/* Reads payload of the current array, as stream_read_bytes() does. */
int64_t archive_read(struct archive *a, struct stream *s, void *p, size_t n,
    struct npu_err *err);

void archive_close(struct archive *a);	/* NULL is allowed */

#endif
