// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "text/cache.h"

enum {
	PLACE_BITS = 18,	/* bits of a unit's index in a slot */
	PROBES = 4,		/* slots that a key may be in */
	KIND_SHIFT = 7,		/* bits above the length; then the ids */
	IDS_SHIFT = 9,
	BLOCK = sizeof(uint64_t),
	BLOCK_UNITS = BLOCK / sizeof(uint16_t),
};

/* ---- Keys -------------------------------------------------------------- */

static uint64_t
load(const char *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
	return x;
}

static uint64_t
mix(uint64_t hash, uint64_t x)
{
	hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

/* Ends the key with block i: the n bytes of x, fewer than 8. */
static void
end_key(struct cache_key *k, size_t i, uint64_t hash, uint64_t x, unsigned n)
{
	x &= (UINT64_C(1) << 8 * n) - 1;
	if (n > 0)
		k->block[i] = x;
	k->n = (uint32_t)(i * BLOCK + n);
	k->hash = (uint32_t)mix(hash, x ^ (uint64_t)k->n << 56);
}

void
cache_key(struct cache_key *k, const char *p, size_t n)
{
	uint64_t hash = 0;
	size_t i;

	for (i = 0; i < n / BLOCK; i++, p += BLOCK) {
		k->block[i] = load(p);
		hash = mix(hash, k->block[i]);
	}
	end_key(k, i, hash, load(p), n % BLOCK);
}

/* Sets the upper bit of each byte that is a space, and perhaps of other bytes
 * after the first space. */
static uint64_t
spaces(uint64_t x)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);

	x ^= ones * ' ';
	return (x - ones) & ~x & ones << 7;
}

bool
cache_key_to_space(struct cache_key *k, const char *p)
{
	uint64_t hash = 0, x, space;

	for (size_t i = 0; i < CACHE_BLOCKS; i++, p += BLOCK) {
		x = load(p);
		if ((space = spaces(x)) != 0) {
			end_key(k, i, hash, x,
			    (unsigned)__builtin_ctzll(space) / 8);
			return true;
		}
		k->block[i] = x;
		hash = mix(hash, x);
	}
	return false;
}

/* ---- Entries ----------------------------------------------------------- */

static size_t
blocks(const struct cache_key *k)
{
	return (k->n + BLOCK - 1) / BLOCK;
}

/* Returns whether the blocks at at are equal to k's. */
static bool
same(const struct cache_key *k, const uint16_t *at)
{
	uint64_t x;

	for (size_t i = 0; i < blocks(k); i++, at += BLOCK_UNITS) {
		memcpy(&x, at, sizeof(x));
		if (x != k->block[i])
			return false;
	}
	return true;
}

static uint32_t
tag_of(uint32_t hash)
{
	return hash >> PLACE_BITS << PLACE_BITS;
}

/* Finds the entry of a key that has one of the kinds.  Returns NULL if there is
 * none; *i is then the slot for it, otherwise its slot. */
static inline uint16_t *
find(struct cache *c, enum cache_kind kinds, const struct cache_key *k,
    uint32_t *i)
{
	for (*i = k->hash; *i < k->hash + PROBES; ++*i) {
		uint32_t s = c->slot[*i % CACHE_SLOTS];
		uint16_t *at = c->unit + s % (1 << PLACE_BITS);

		if (s == 0)
			return NULL;
		if (tag_of(s) == tag_of(k->hash) && *at % 128 == k->n &&
		    (*at >> KIND_SHIFT & kinds) != 0 && same(k, at + 1))
			return at;
	}
	*i = k->hash;		/* full: overwrite the first */
	return NULL;
}

size_t
cache_find(struct cache *c, enum cache_kind kind, const struct cache_key *k,
    int32_t *id)
{
	uint32_t slot;
	const uint16_t *at = find(c, kind, k, &slot);
	size_t ids;

	if (at == NULL)
		return 0;
	ids = *at >> IDS_SHIFT;
	at += 1 + blocks(k) * BLOCK_UNITS;
	for (size_t i = 0; i < ids; i += 4) {
		uint16_t four[4];

		memcpy(four, at + i, sizeof(four));
		id[i] = four[0];
		id[i + 1] = four[1];
		id[i + 2] = four[2];
		id[i + 3] = four[3];
	}
	return ids;
}

void
cache_clear(struct cache *c)
{
	memset(c->slot, 0, sizeof(c->slot));
	c->used = 1;
}

void
cache_add(struct cache *c, enum cache_kind kind, const struct cache_key *k,
    const int32_t *id, size_t ids)
{
	uint32_t slot, key = (uint32_t)(blocks(k) * BLOCK_UNITS);
	uint32_t units = (uint32_t)(1 + key + ids);
	uint16_t *at;

	if (ids >= CACHE_IDS)
		return;
	if (c->used + units > CACHE_UNITS || c->used == 0)
		cache_clear(c);
	if ((at = find(c, kind, k, &slot)) != NULL) {
		*at |= (uint16_t)(kind << KIND_SHIFT);
		return;
	}
	c->slot[slot % CACHE_SLOTS] = tag_of(k->hash) | c->used;
	at = c->unit + c->used;
	c->used += units;
	*at++ = (uint16_t)(k->n | (uint32_t)kind << KIND_SHIFT |
	    ids << IDS_SHIFT);
	memcpy(at, k->block, blocks(k) * BLOCK);
	for (size_t i = 0; i < ids; i++)
		at[key + i] = (uint16_t)id[i];
}
