// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "text/cache.h"

enum {
	PLACE_BITS = 18,	/* of a slot: CACHE_UNITS is less */
	PROBES = 4,		/* slots that a key may be in */
	WORD_ONLY = 128,	/* beside the length */
};

/* The 8 bytes at p, or the n that there are and 0. */
static uint64_t
load(const char *p, size_t n)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
	return n < sizeof(x) ? x << (64 - 8 * n) >> (64 - 8 * n) : x;
}

uint32_t
cache_hash(const char *p, size_t n)
{
	uint64_t h = n;

	for (size_t i = 0; i < n; i += 8) {
		h = (h ^ load(p + i, n - i)) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	return (uint32_t)h;
}

static bool
same(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i += 8)
		if (load(a + i, n - i) != load(b + i, n - i))
			return false;
	return true;
}

static uint32_t
tag_of(uint32_t hash)
{
	return hash >> PLACE_BITS << PLACE_BITS;
}

/* The entry of a key, of whichever kind, in the slots from hash on; NULL if
 * there is none.  *i becomes the slot where it is or would be. */
static uint16_t *
find(struct cache *c, uint32_t hash, const char *p, size_t n, uint32_t *i)
{
	for (*i = hash; *i < hash + PROBES; ++*i) {
		uint32_t s = c->slot[*i % CACHE_SLOTS];
		uint16_t *at = c->unit + s % (1 << PLACE_BITS);

		if (s == 0)
			return NULL;
		if (tag_of(s) == tag_of(hash) && *at % 128 == n &&
		    same((const char *)(at + 1 + *at / 256), p, n))
			return at;
	}
	*i = hash;		/* full: the first is forgotten */
	return NULL;
}

size_t
cache_find(struct cache *c, enum cache_kind kind, uint32_t hash,
    const char *p, size_t n, int32_t *id)
{
	uint32_t i;
	const uint16_t *at = find(c, hash, p, n, &i);
	size_t ids;

	if (at == NULL || (kind == CACHE_STRETCH && (*at & WORD_ONLY)))
		return 0;
	ids = *at / 256;
	for (size_t k = 0; k < ids; k++)
		id[k] = at[1 + k];
	return ids;
}

void
cache_clear(struct cache *c)
{
	memset(c->slot, 0, sizeof(c->slot));
	c->used = 1;
}

void
cache_add(struct cache *c, enum cache_kind kind, uint32_t hash, const char *p,
    size_t n, const int32_t *id, size_t ids)
{
	uint32_t i, units = (uint32_t)(1 + ids + (n + 1) / 2);
	uint16_t *at;

	if (ids > CACHE_IDS)
		return;
	if (c->used + units > CACHE_UNITS || c->used == 0)
		cache_clear(c);
	if ((at = find(c, hash, p, n, &i)) != NULL) {
		if (kind == CACHE_STRETCH)
			*at &= (uint16_t)~WORD_ONLY;
		return;
	}
	c->slot[i % CACHE_SLOTS] = tag_of(hash) | c->used;
	at = c->unit + c->used;
	c->used += units;
	*at++ = (uint16_t)(n | (kind == CACHE_WORD ? WORD_ONLY : 0) |
	    ids << 8);
	for (size_t k = 0; k < ids; k++)
		*at++ = (uint16_t)id[k];
	memcpy(at, p, n);
}
