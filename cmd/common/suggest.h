/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds what a mistyped word was probably meant to be: a name that it begins,
 * or whose later word it begins, or else the nearest within an edit distance of
 * two, or one for words below 5 letters.  A letter added, left out or replaced
 * counts as one edit, and so do two that changed places.
 */
#ifndef CMD_SUGGEST_H
#define CMD_SUGGEST_H

#include <stddef.h>

struct suggestion {
	const char *best;	/* so far; NULL: none is close enough */
	const char *word;
	size_t n;		/* its bytes */
	size_t distance;
};

void suggest_begin(struct suggestion *s, const char *word, size_t n);
void suggest_try(struct suggestion *s, const char *other);

#endif
