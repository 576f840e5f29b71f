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
 * *out, zeroed before, = the contents of the gzip file in: whole, with all
 * its members, checksums verified, at most limit bytes.  buf_free(out) in
 * every case.
 */
int gunzip(struct bytes in, size_t limit, struct buf *out,
    struct npu_err *err);

#endif
