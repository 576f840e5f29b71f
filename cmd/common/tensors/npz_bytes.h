/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the bytes of a .npz from a stream, and inflates a compressed member:
 * raw deflate (RFC 1951).  Bytes are inflated when they are needed, and sizes
 * in a header do not cause allocations.
 */
#ifndef CMD_TENSORS_NPZ_BYTES_H
#define CMD_TENSORS_NPZ_BYTES_H

#include <zlib.h>

#include "stream.h"
#include "tensor/npz.h"

struct inflater {
	z_stream z;
	bool open;		/* z is in use */
	const struct npz_member *m;
	uint64_t left;		/* packed bytes not read yet */
	uint8_t in[4096];
};

/* Reads n bytes, which must be present.  Returns 1, or negative. */
int npz_need(struct stream *s, void *p, size_t n, struct npu_err *err);

/* Begins a member.  *f must not move until its end. */
int inflater_begin(struct inflater *f, const struct npz_member *m,
    struct npu_err *err);
/* Inflates n bytes, which must be present.  Returns n, or negative. */
int64_t inflater_read(struct inflater *f, struct stream *s, void *p, size_t n,
    struct npu_err *err);
/* Fails unless the member ends here. */
int inflater_end(struct inflater *f, struct stream *s, struct npu_err *err);
void inflater_close(struct inflater *f);

#endif
