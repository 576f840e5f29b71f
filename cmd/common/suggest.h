/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the name that a mistyped word was probably meant to be: a name that
 * begins with the word, or with a later word that does, or else the nearest
 * name within an edit distance of two, or of one for words below 5 letters.
 * Adding, removing or replacing a letter counts as one edit, and so does
 * exchanging two neighbouring letters.
 */
#ifndef CMD_SUGGEST_H
#define CMD_SUGGEST_H

#include <stddef.h>

struct suggestion {
	const char *best;	/* best so far; NULL: no name is close enough */
	const char *word;
	size_t n;		/* bytes in word */
	size_t distance;
};

void suggest_begin(struct suggestion *s, const char *word, size_t n);
void suggest_try(struct suggestion *s, const char *other);

#endif
