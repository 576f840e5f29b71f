/* SPDX-License-Identifier: Apache-2.0 */
/* What a text is encoded in, as far as its first bytes show that.  The texts
 * and lists that npu-utils read are UTF-8. */
#ifndef BASE_ENCODING_H
#define BASE_ENCODING_H

#include "base/bytes.h"
#include "npu.h"

/*
 * Takes the byte order mark of UTF-8 from the beginning of *text.  Fails with
 * NPU_EFORMAT, and leaves *text, where it begins as UTF-16 or UTF-32 does; the
 * message names the command that converts it.  Without a mark the bytes of 0 in
 * lines show it, also where text is the first line with its LF and the byte
 * after that; is_lines false, for texts that end with NULs, looks for a mark
 * alone.
 */
int encoding_begin(struct bytes *text, bool is_lines, struct npu_err *err);

#endif
