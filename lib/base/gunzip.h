/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_GUNZIP_H
#define BASE_GUNZIP_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

/* True if in begins as a gzip file does (RFC 1952). */
bool is_gzip(struct bytes in);

/*
 * Unpacks the gzip file in to *out, which is zeroed before: all its members, at
 * most limit bytes, with checksums verified.  Call buf_free(out) in every case.
 */
int gunzip(struct bytes in, size_t limit, struct buf *out,
    struct npu_err *err);

#endif
