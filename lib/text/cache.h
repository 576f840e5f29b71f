/* SPDX-License-Identifier: Apache-2.0 */
/* A cache of words and their ids. */
#ifndef TEXT_CACHE_H
#define TEXT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CACHE_SLOT_BITS = 15,
	CACHE_SLOTS = 1 << CACHE_SLOT_BITS,
	CACHE_UNITS = 3 << 16,
	CACHE_KEY = 127,	/* bytes in the longest key */
	CACHE_BLOCKS = (CACHE_KEY + 7) / 8,
	CACHE_READ = 8,		/* bytes read after a key */
	CACHE_IDS = 128,	/* a multiple of 4, see cache_find() */
};

/* The key of an entry. */
struct cache_key {
	uint64_t block[CACHE_BLOCKS];	/* n bytes, then 0 up to a multiple of
					 * 8; the rest is undefined */
	uint32_t n, hash;
};

/*
 * Keys have two kinds: a word, which is clean, and a segment, which is not
 * clean yet (clean.h).  The same bytes may be a word and a segment with
 * different ids: U+201A becomes an apostrophe if it is in the text, but is a
 * word if the text has "&#x82" for it.  A segment that cleaning does not change
 * is of both kinds.
 *
 * Entries follow each other in units of two bytes: the length, the kinds and
 * the number of ids; the blocks of the key; the ids.  When the cache is full,
 * all entries are dropped.  Must be zero before use.
 */
struct cache {
	uint32_t slot[CACHE_SLOTS];	/* tag << 18 | unit; 0 is empty */
	uint32_t used;			/* units; unit 0 is never used */
	uint16_t unit[CACHE_UNITS + 4];	/* ids are read four at a time */
};

enum cache_kind { CACHE_WORD = 1, CACHE_SEGMENT = 2, CACHE_BOTH = 3 };

/* Sets *k to the key of the n bytes at p, n <= CACHE_KEY.  Reads CACHE_READ
 * bytes after them. */
void cache_key(struct cache_key *k, const char *p, size_t n);

/* Sets *k to the key of the bytes from p up to the next space.  The space must
 * exist, with CACHE_READ bytes after it.  Returns false if the key would have
 * more than CACHE_KEY bytes. */
bool cache_key_to_space(struct cache_key *k, const char *p);

/* Writes the ids of a key to id, which has room for CACHE_IDS, and returns
 * their number; 0 if the key is not in the cache. */
size_t cache_find(struct cache *c, enum cache_kind kind,
    const struct cache_key *k, int32_t *id);

/* Stores the ids of a key, if there are fewer than CACHE_IDS.  A key of both
 * kinds takes the ids of the word, if the word was in the cache. */
void cache_add(struct cache *c, enum cache_kind kind,
    const struct cache_key *k, const int32_t *id, size_t ids);

void cache_clear(struct cache *c);

#endif
