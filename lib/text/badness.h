/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests whether a text looks like mojibake, UTF-8 read in another encoding.
 * The categories and rules are those in ftfy 6.3.1, ftfy/badness.py, restated
 * in data/ftfy-badness.txt; the tables are data/mojibake_tables.c.
 */
#ifndef TEXT_BADNESS_H
#define TEXT_BADNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	BADNESS_BLOCK = 128,	/* code points in a row of badness_rows */
	BADNESS_SPAN = 7,	/* code points in the longest rule */
};

/* Code points that no rule distinguishes have the same kind. */
extern const uint16_t badness_index[0x110000 / BADNESS_BLOCK];
extern const uint8_t badness_rows[][BADNESS_BLOCK];
/* badness_at[k][i] has a bit for each rule that allows kind k at position i.
 * Kind 0 is the end of the text, which a rule allows after its last
 * position. */
extern const uint64_t badness_at[][BADNESS_SPAN];
/* The same for a pair of neighbours that each rule contains: a suspect code
 * point and the code point before it, or, if the rule begins with the suspect,
 * the code point after it. */
extern const uint64_t badness_pairs[][2];
/* The rules that match only at the start of the text. */
extern const uint64_t badness_anchored;
/* Kinds from this number on are suspect, see below. */
extern const uint8_t badness_suspects;
/* Every rule has a suspect code point, after at most this many others. */
extern const uint8_t badness_before;

static inline uint8_t
badness_kind(uint32_t c)
{
	return badness_rows[badness_index[c / BADNESS_BLOCK]]
	    [c % BADNESS_BLOCK];
}

/* Returns not 0 if neighbours of these kinds may be part of a bad text.  Every
 * bad text has such a pair; one of the two kinds is suspect. */
static inline uint64_t
badness_pair(unsigned left, unsigned right)
{
	return badness_pairs[left][0] & badness_pairs[right][1];
}

/* Returns whether a rule matches at the start of p[i..n). */
bool text_bad_at(const uint32_t *p, size_t n, size_t i);

/* Returns the first position from i on where a rule matches, or n. */
size_t text_find_bad(const uint32_t *p, size_t n, size_t i);

/* is_bad() of ftfy: returns whether a rule matches anywhere in p[0..n). */
bool text_is_bad(const uint32_t *p, size_t n);

/* Returns whether c is in a category or rule and not ASCII.  A text without
 * such a code point cannot be bad. */
static inline bool
text_suspect(uint32_t c)
{
	return c > 0x7f && badness_kind(c) >= badness_suspects;
}

#endif
