/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a word was probably meant to be: the one of several that it begins, or
 * else the one it is a slip or two away from, or of which it begins a later
 * word.  A slip is a letter too many, too few or wrong, or two that changed
 * places.
 */
#ifndef CMD_SUGGEST_H
#define CMD_SUGGEST_H

#include <stddef.h>

struct near {
	const char *best;	/* so far; NULL: none is near */
	const char *word;
	size_t n;		/* its bytes */
	size_t distance;
};

void near_begin(struct near *near, const char *word, size_t n);
void near_try(struct near *near, const char *other);

#endif
