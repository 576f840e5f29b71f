// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "store/table.h"

#define PRIME (((uint64_t)1 << 61) - 1)

void
table_begin(struct index_table *t)
{
	struct timespec now;

	*t = (struct index_table){ 0 };
	if (getrandom(&t->key, sizeof(t->key), GRND_NONBLOCK) !=
	    sizeof(t->key)) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		t->key = (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u;
	}
	t->key = t->key % (PRIME - 2) + 2;
}

/* Returns the product modulo PRIME, or PRIME more. */
static uint64_t
times(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 m = a;
	uint64_t r;

	m *= b;
	r = ((uint64_t)m & PRIME) + (uint64_t)(m >> 61);
	return r >= PRIME ? r - PRIME : r;
}

/*
 * Returns the value of a polynomial over the bytes, 7 at a time, at a secret
 * point: two names of n bytes have the same value at n / 7 of 2^61 points at
 * most.
 */
uint64_t
table_hash(const struct index_table *t, const void *p, size_t n)
{
	const char *s = p;
	uint64_t h = n + 1, w;

	for (size_t i = 0; i < n; i += 7) {
		w = 0;
		memcpy(&w, s + i, n - i < 7 ? n - i : 7);
		h = times(h, t->key) + w;
	}
	return times(h, t->key) * 0x9e3779b97f4a7c15u;
}

static struct table_slot *
first(const struct index_table *t, uint64_t hash)
{
	return &t->slot[hash >> 32 & (t->cap - 1)];
}

static struct table_slot *
next(const struct index_table *t, struct table_slot *s)
{
	return ++s == t->slot + t->cap ? t->slot : s;
}

struct table_slot *
table_find(const struct index_table *t, uint64_t hash,
    bool (*same)(const void *arg, uint64_t at), const void *arg)
{
	struct table_slot *s;

	if (t->cap == 0)
		return NULL;
	for (s = first(t, hash); s->at != 0; s = next(t, s))
		if (s->hash == hash && same(arg, s->at))
			break;
	return s;
}

/* Returns how many slots s is behind from, which wraps at the end. */
static size_t
behind(const struct index_table *t, const struct table_slot *s,
    const struct table_slot *from)
{
	return (size_t)(s - from) & (t->cap - 1);
}

/* Closes the gap, because a search would end there: moves a later slot into the
 * gap if that slot may be there, which leaves another gap. */
void
table_remove(struct index_table *t, struct table_slot *s)
{
	struct table_slot *k;

	for (k = next(t, s); k->at != 0; k = next(t, k)) {
		if (behind(t, k, first(t, k->hash)) < behind(t, k, s))
			continue;
		*s = *k;
		s = k;
	}
	s->at = 0;
	t->n--;
}

bool
table_room(struct index_table *t)
{
	struct index_table new = *t;
	struct table_slot *s;

	if (t->n < t->cap / 2)
		return true;
	new.cap = t->cap == 0 ? 64 : t->cap * 2;
	if ((new.slot = calloc(new.cap, sizeof(*new.slot))) == NULL)
		return false;
	for (size_t i = 0; i < t->cap; i++) {
		if (t->slot[i].at == 0)
			continue;
		for (s = first(&new, t->slot[i].hash); s->at != 0; )
			s = next(&new, s);
		*s = t->slot[i];
	}
	free(t->slot);
	*t = new;
	return true;
}
