/* SPDX-License-Identifier: Apache-2.0 */
/* Words seen before, and their ids. */
#ifndef TEXT_CACHE_H
#define TEXT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CACHE_SLOT_BITS = 15,
	CACHE_SLOTS = 1 << CACHE_SLOT_BITS,
	CACHE_UNITS = 3 << 16,
	CACHE_KEY = 127,	/* bytes of the longest key */
	CACHE_BLOCKS = (CACHE_KEY + 7) / 8,
	CACHE_READ = 8,		/* bytes that are read past a key */
	CACHE_IDS = 128,	/* a multiple of 4, see cache_find() */
};

/* The key of an entry. */
struct cache_key {
	uint64_t block[CACHE_BLOCKS];	/* n bytes, and 0 up to a multiple of
					   8; the rest is undefined */
	uint32_t n, hash;
};

/*
 * Keys are of two kinds: a word, which is clean, and a segment, which is not
 * yet (clean.h).  The same bytes may be either and have other ids as the one
 * than as the other: U+201A becomes an apostrophe where it stands in a text,
 * but is a word where "&#x82" stands for it.  A segment that cleaning leaves
 * unchanged is of both kinds.
 *
 * Entries follow each other in units of two bytes: the length, the kinds and
 * the number of ids; the blocks of the key; the ids.  When there is no more
 * room, all are forgotten.  Zeroed before use.
 */
struct cache {
	uint32_t slot[CACHE_SLOTS];	/* tag << 18 | unit; 0 is empty */
	uint32_t used;			/* units; unit 0 is never used */
	uint16_t unit[CACHE_UNITS + 4];	/* ids are read four at a time */
};

enum cache_kind { CACHE_WORD = 1, CACHE_SEGMENT = 2, CACHE_BOTH = 3 };

/* Makes the key of the n bytes at p, at most CACHE_KEY; CACHE_READ bytes past
 * them are read. */
void cache_key(struct cache_key *k, const char *p, size_t n);

/* The same of the bytes from p up to the next space, which must exist and have
 * CACHE_READ bytes past it.  False if they are more than CACHE_KEY. */
bool cache_key_to_space(struct cache_key *k, const char *p);

/* Writes the ids of a key to id, which has room for CACHE_IDS, and returns
 * their number; 0 if the key is not known. */
size_t cache_find(struct cache *c, enum cache_kind kind,
    const struct cache_key *k, int32_t *id);

/* Stores the ids of a key, unless they are CACHE_IDS or more.  A key of both
 * kinds has the same ids as the word, if that was there before. */
void cache_add(struct cache *c, enum cache_kind kind,
    const struct cache_key *k, const int32_t *id, size_t ids);

void cache_clear(struct cache *c);

#endif
