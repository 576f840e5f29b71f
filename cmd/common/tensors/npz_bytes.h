/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a .npz as they come from a stream, and those of a member that is
 * compressed: raw deflate (RFC 1951), inflated as they are wanted, so that what
 * its header says allocates nothing.
 */
#ifndef CMD_TENSORS_NPZ_BYTES_H
#define CMD_TENSORS_NPZ_BYTES_H

#include <zlib.h>

#include "stream.h"
#include "tensor/npz.h"

struct inflater {
	z_stream z;
	bool open;		/* z is */
	const struct npz_member *m;
	uint64_t left;		/* packed bytes not read yet */
	uint8_t in[4096];
};

/* Reads n bytes that must be there: 1, or negative. */
int npz_need(struct stream *s, void *p, size_t n, struct npu_err *err);

/* Begins a member, which must stay where it is. */
int inflater_begin(struct inflater *f, const struct npz_member *m,
    struct npu_err *err);
/* Inflates n bytes, which must be there: n, or negative. */
int64_t inflater_read(struct inflater *f, struct stream *s, void *p, size_t n,
    struct npu_err *err);
/* Fails unless the member ends here. */
int inflater_end(struct inflater *f, struct stream *s, struct npu_err *err);
void inflater_close(struct inflater *f);

#endif
