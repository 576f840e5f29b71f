/* SPDX-License-Identifier: Apache-2.0 */
/* Where the bytes of a picture come from. */
#ifndef IMAGE_SOURCE_H
#define IMAGE_SOURCE_H

#include "base/bytes.h"
#include "npu.h"

struct picture_source {
	/*
	 * Reads up to n bytes, n > 0, to p: their number, 0 at the end, or
	 * negative with a line in *err.
	 */
	int64_t (*read)(void *arg, void *p, size_t n, struct npu_err *err);
	void *arg;
};

/* The bytes of b, which must outlive the source and then has what is left to
 * read; nothing if that was a picture, which is decoded in place. */
struct picture_source source_bytes(struct bytes *b);

#endif
