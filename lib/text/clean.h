/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cleaning that CLIP does before it splits a text into words: basic_clean()
 * and whitespace_clean() of openai/CLIP, clip/simple_tokenizer.py, then
 * lower().
 */
#ifndef TEXT_CLEAN_H
#define TEXT_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "text/codepoints.h"
#include "text/fix.h"

/* Working memory, kept from text to text.  Must be zero before first use.
 * After a long text, it may hold tens of bytes for each byte of the text. */
struct cleaner {
	struct codepoints text, next;
	struct fixer fixer;
};

/*
 * Sets *out to the n bytes at s, cleaned: valid UTF-8 without upper case, with
 * single spaces, none at either end.  A byte sequence that is not UTF-8 is read
 * as U+FFFD, one for each maximal subpart (Unicode 15, 3.9; Python's
 * errors="replace").  If out of memory, returns false and sets out->failed.
 */
bool text_clean(struct cleaner *w, const char *s, size_t n,
    struct buf *out);

struct text_segment {
	bool no_repair;		/* the segment is clean by itself; if false,
				 * clean the text as a whole */
	bool one_word;		/* the segment has only letters */
};

/*
 * Does the same for a segment: n > 0 bytes between two spaces, or between a
 * space and an end, of a text of at most FIX_LINE bytes.  The words of a text
 * are the words of its segments, if no_repair is true for all of them.
 */
bool text_clean_segment(struct cleaner *w, const char *s, size_t n,
    struct buf *out, struct text_segment *is);

void clean_free(struct cleaner *w);

/* Sets *out to s with U+FFFD in place of bytes that are not UTF-8, otherwise
 * unchanged. */
bool text_valid(const char *s, size_t n, struct buf *out);

#endif
