/* SPDX-License-Identifier: Apache-2.0 */
/* Converts a whole text to ids, in the fastest of three ways that is possible:
 * as simple ASCII, by segments that need no repair, or by cleaning the whole
 * text first. */
#ifndef TEXT_ENCODE_H
#define TEXT_ENCODE_H

#include "text/tokenizer.h"

/* Replaces the tokenizer's ids by the ids of the text, with both marks.  Fails
 * if out of memory. */
bool encode_text(struct npu_tokenizer *c, const char *text, size_t n);

#endif
