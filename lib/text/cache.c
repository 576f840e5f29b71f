// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "text/cache.h"

enum {
	PLACE_BITS = 18,	/* of a slot: CACHE_UNITS is less */
	PROBES = 4,		/* slots that a word may be in */
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

static uint32_t
tag_of(uint32_t hash)
{
	return hash >> PLACE_BITS << PLACE_BITS;
}

size_t
cache_find(const struct cache *c, uint32_t hash, const char *p, size_t n,
    int32_t *id)
{
	for (uint32_t i = hash; i < hash + PROBES; i++) {
		uint32_t s = c->slot[i % CACHE_SLOTS];
		const uint16_t *at = c->unit + s % (1 << PLACE_BITS);
		size_t ids = *at / 256;

		if (s == 0)
			return 0;
		if (tag_of(s) != tag_of(hash) || *at % 256 != n)
			continue;
		if (memcmp(at + 1 + ids, p, n) != 0)
			continue;
		for (size_t k = 0; k < ids; k++)
			id[k] = at[1 + k];
		return ids;
	}
	return 0;
}

void
cache_add(struct cache *c, uint32_t hash, const char *p, size_t n,
    const int32_t *id, size_t ids)
{
	uint32_t i = hash, units = (uint32_t)(1 + ids + (n + 1) / 2);
	uint16_t *at;

	if (c->used + units > CACHE_UNITS || c->used == 0) {
		memset(c->slot, 0, sizeof(c->slot));
		c->used = 1;
	}
	while (i < hash + PROBES && c->slot[i % CACHE_SLOTS] != 0)
		i++;
	if (i == hash + PROBES)		/* full: the first is forgotten */
		i = hash;
	c->slot[i % CACHE_SLOTS] = tag_of(hash) | c->used;
	at = c->unit + c->used;
	c->used += units;
	*at++ = (uint16_t)(n | ids << 8);
	for (size_t k = 0; k < ids; k++)
		*at++ = (uint16_t)id[k];
	memcpy(at, p, n);
}
