/* SPDX-License-Identifier: Apache-2.0 */
/* Detects the encoding of a text by its first bytes.  The texts and lists that
 * npu-utils read are UTF-8. */
#ifndef BASE_ENCODING_H
#define BASE_ENCODING_H

#include "base/bytes.h"
#include "npu.h"

/*
 * Removes UTF-8's byte order mark from the beginning of *text.  If the text is
 * UTF-16 or UTF-32, fails with NPU_EFORMAT and leaves *text unchanged; the
 * message names the command that converts it.  Without a mark, UTF-16 and
 * UTF-32 are detected by their bytes of 0 in lines: text may also be only the
 * first line with its LF and the byte after that.  With is_lines false, for
 * texts that end with NULs, only a mark is detected.
 */
int encoding_begin(struct bytes *text, bool is_lines, struct npu_err *err);

#endif
