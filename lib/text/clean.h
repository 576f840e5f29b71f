/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What CLIP does to a text before it is cut into words: basic_clean() and
 * whitespace_clean() of openai/CLIP, clip/simple_tokenizer.py, then lower().
 * Not yet: ftfy.fix_text() and html.unescape(), which leave plain text alone.
 */
#ifndef TEXT_CLEAN_H
#define TEXT_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "text/points.h"

/*
 * *out = the n bytes at s, cleaned: valid UTF-8 without upper case, with
 * single spaces, none at either end.  A byte sequence that is not UTF-8 is
 * read as U+FFFD, one for each maximal subpart (Unicode 15, 3.9; Python's
 * errors="replace").  False when there is no memory; out->failed is set then.
 */
bool text_clean(const char *s, size_t n, struct points *work,
    struct buf *out);

/* *out = s with U+FFFD for what is not UTF-8, and nothing else changed. */
bool text_valid(const char *s, size_t n, struct buf *out);

#endif
