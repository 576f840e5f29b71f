/* SPDX-License-Identifier: Apache-2.0 */
/* Words seen before, and the ids that they became. */
#ifndef TEXT_CACHE_H
#define TEXT_CACHE_H

#include <stddef.h>
#include <stdint.h>

enum {
	CACHE_SLOT_BITS = 15,
	CACHE_SLOTS = 1 << CACHE_SLOT_BITS,
	CACHE_UNITS = 3 << 16,
	CACHE_WORD = 128,	/* bytes of the longest */
	CACHE_READ = 8,		/* bytes that are read behind a word */
};

/*
 * Words one behind the other, each in units of two bytes: its length and the
 * number of ids, the ids, the word.  When there is no more room, all are
 * forgotten.  Zeroed before use.
 */
struct cache {
	uint32_t slot[CACHE_SLOTS];	/* tag << 18 | place; 0 is empty */
	uint32_t used;			/* units; the first is none */
	uint16_t unit[CACHE_UNITS];
};

/* Hash of a word of at most CACHE_WORD bytes. */
uint32_t cache_hash(const char *p, size_t n);

/* Writes the ids of a word to id, which has room for n; 0 if it is not known,
 * else their number. */
size_t cache_find(const struct cache *c, uint32_t hash, const char *p,
    size_t n, int32_t *id);

/* Remembers that a word became these ids. */
void cache_add(struct cache *c, uint32_t hash, const char *p, size_t n,
    const int32_t *id, size_t ids);

#endif
