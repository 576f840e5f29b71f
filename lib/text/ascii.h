/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simple ASCII, the fast path for most captions: cleaning only converts it to
 * lower case and folds white space.  Simple ASCII does not contain '&', which
 * may begin an HTML reference, and its only control characters are white space.
 */
#ifndef TEXT_ASCII_H
#define TEXT_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ASCII_WINDOW = 64,
	ASCII_PAD = 80,		/* bytes after the text that may be read and
				 * written */
};

/*
 * Writes s[0..n) in lower case to out, followed by ASCII_PAD zero bytes, for
 * which out must have room.  Returns false if s is not simple ASCII; out is
 * then undefined.
 */
bool ascii_lower(const char *s, size_t n, char *out);

/*
 * The words of simple ASCII in lower case: bit i represents p[i], for
 * ASCII_WINDOW bytes.  p[0] begins a word or is white space.  A word ends at
 * the next bit of ends.  Suffixes such as "'s", and marks, are not recognised.
 */
struct ascii_words {
	uint64_t begins;
	uint64_t ends;		/* the bits of begins, and white space */
};

struct ascii_words ascii_words(const char *p);

#endif
