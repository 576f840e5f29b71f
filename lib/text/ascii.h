/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simple ASCII, the fast path of most captions: cleaning only makes it lower
 * case and folds its white space.  It has no '&', which may begin an HTML
 * reference, and no control character except white space.
 */
#ifndef TEXT_ASCII_H
#define TEXT_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ASCII_WINDOW = 64,
	ASCII_PAD = 80,		/* bytes that may be read and written past
				   the end of the text */
};

/*
 * Writes s[0..n) in lower case to out, and 0 to the ASCII_PAD bytes that out
 * has after that.  False if s is not simple ASCII; out is then undefined.
 */
bool ascii_lower(const char *s, size_t n, char *out);

/*
 * The words of simple ASCII in lower case: bit i stands for p[i], over
 * ASCII_WINDOW bytes.  p[0] begins a word or is white space.  A word ends at
 * the next bit of ends.  Suffixes such as "'s", and marks, are not recognised.
 */
struct ascii_words {
	uint64_t begins;
	uint64_t ends;		/* begins, and white space */
};

struct ascii_words ascii_words(const char *p);

#endif
