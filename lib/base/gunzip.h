/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_GUNZIP_H
#define BASE_GUNZIP_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

/* Returns true if in begins as a gzip file does (RFC 1952). */
bool is_gzip(struct bytes in);

/*
 * Unpacks the gzip file in to *out, which the caller has zeroed: all its
 * members, at most limit bytes, with their checksums verified.  Call
 * buf_free(out) even on failure.
 */
int gunzip(struct bytes in, size_t limit, struct buf *out,
    struct npu_err *err);

#endif
