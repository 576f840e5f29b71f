/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 (RFC 4648, section 4), without line breaks. */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

/* Adds the characters that encode b to *out, padded with '='. */
void base64_encode(struct bytes b, struct buf *out);

/*
 * Decodes text and adds the bytes to *out.  Line ends are skipped, since MIME
 * breaks lines (RFC 2045); the padding at the end may be left out.  Fails with
 * NPU_EFORMAT for a character that is not one of base64's; the message gives
 * its position.
 */
int base64_decode(struct bytes text, struct buf *out, struct npu_err *err);

#endif
