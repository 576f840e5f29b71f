/* SPDX-License-Identifier: Apache-2.0 */
/* A whole text becomes ids, by the fastest of three ways that fits it: simple
 * ASCII, segments that need no repair, or cleaning the whole text first. */
#ifndef TEXT_ENCODE_H
#define TEXT_ENCODE_H

#include "text/tokenizer.h"

/* Replaces the tokenizer's ids by the ids of the text, with both marks.  Fails
 * if memory runs out. */
bool encode_text(struct npu_tokenizer *c, const char *text, size_t n);

#endif
