/* SPDX-License-Identifier: Apache-2.0 */
/* Where the bytes of a picture come from. */
#ifndef IMAGE_SOURCE_H
#define IMAGE_SOURCE_H

#include "base/bytes.h"
#include "npu.h"

struct picture_source {
	/*
	 * Up to n bytes, n > 0, to p: their number, 0 at the end, or negative
	 * with a line in *err.
	 */
	int64_t (*read)(void *arg, void *p, size_t n, struct npu_err *err);
	void *arg;
};

/* What b has; b lives as long as the source, and is what is left to read: of a
 * picture nothing, for it is decoded where it is. */
struct picture_source source_bytes(struct bytes *b);

#endif
