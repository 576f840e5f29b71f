/* SPDX-License-Identifier: Apache-2.0 */
/* Provides the bytes of a picture. */
#ifndef IMAGE_SOURCE_H
#define IMAGE_SOURCE_H

#include "base/bytes.h"
#include "npu.h"

struct picture_source {
	/*
	 * Reads up to n bytes, n > 0, to p.  Returns the number of bytes, 0 at
	 * the end, or negative with a message in *err.
	 */
	int64_t (*read)(void *arg, void *p, size_t n, struct npu_err *err);
	void *arg;
};

/* Returns a source for the bytes of b, which must outlive the source.  b then
 * has the bytes left to read; it is empty if a picture was read, which is
 * decoded in place. */
struct picture_source source_bytes(struct bytes *b);

#endif
