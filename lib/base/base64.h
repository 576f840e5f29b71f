/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 (RFC 4648, section 4), in one line. */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

/* Adds the characters for b to *out, padded with '='. */
void base64_encode(struct bytes b, struct buf *out);

/*
 * Adds the bytes that the characters of text stand for to *out.  Line ends are
 * passed over, since MIME breaks lines (RFC 2045); padding at the end may be
 * left out.  NPU_EFORMAT names the place of a character that is not one of
 * base64's.
 */
int base64_decode(struct bytes text, struct buf *out, struct npu_err *err);

#endif
