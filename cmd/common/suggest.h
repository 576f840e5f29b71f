/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The word that a mistyped one was probably meant to be: the one it begins; or
 * else the nearest within an edit distance of two (one below 5 letters) that
 * is added, left out, replaced or exchanged letters; or one of whose later
 * words it begins.
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
