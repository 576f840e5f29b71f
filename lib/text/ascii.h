/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plain text: ASCII that the cleaning only makes lower case and whose white
 * space it folds, which most captions are.  So there is no '&', which may begin
 * an HTML reference, and no control character but those that are white space.
 */
#ifndef TEXT_ASCII_H
#define TEXT_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PLAIN_WINDOW = 64,
	PLAIN_PAD = 80,		/* bytes that may be read and written past the
				   end of the text */
};

/*
 * Writes s[0..n) in lower case to out, which has PLAIN_PAD bytes more, and 0
 * into these.  False if s is not plain; what is in out is then of no use.
 */
bool plain_lower(const char *s, size_t n, char *out);

/*
 * The words of lower case plain text: bit i is of p[i], for PLAIN_WINDOW bytes.
 * p[0] begins a word or is white space.  A word ends where the next bit of
 * ends is.  "'s" and its like, and marks, are not known here.
 */
struct plain_words {
	uint64_t begins;
	uint64_t ends;		/* begins, and white space */
};

struct plain_words plain_words(const char *p);

#endif
