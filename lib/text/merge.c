// SPDX-License-Identifier: Apache-2.0
/*
 * bpe() of simple_tokenizer.py: of all pairs of neighbours, the pair that comes
 * first in the vocabulary is merged wherever it occurs, from left to right,
 * until no pair is in the vocabulary.  A merge only creates pairs whose merges
 * come later (vocab.c refuses other vocabularies).
 *
 * In a short word, each step searches for the best pair.  A long word is split
 * into overlapping parts, and each part has a heap.  Where two parts have the
 * same token at the same offset, the result for the whole word is the first
 * part up to there and the second part from there on: in neither part did a
 * merge cross the ends of that token, and the first merge to cross them in the
 * whole word would also have crossed them in one of the parts.  So time and
 * memory depend only on the size of a part, unless two parts do not agree
 * anywhere; then the parts are made larger.
 */
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "text/merge.h"

enum {
	PART = 4096,		/* initial bytes in a part */
	OVERLAP = 4,		/* 1 / OVERLAP of a part is in the next */
	NO_PAIR = INT32_MAX,
};

/* ---- Words of a few tokens --------------------------------------------- */

/*
 * The keys that order the pairs of each token with the next token, in registers
 * of eight keys: a key written to memory would delay the next read of eight.
 * 0x8000 is subtracted, because most machines compare only signed numbers.
 */
#define LANES int16_t __attribute__((vector_size(16)))
#define INLINE static inline __attribute__((always_inline))

enum {
	LANE = 8,
	FEW = 2 * LANE,
	MANY = 2 * FEW,
	NO_KEY = VOCAB_NONE - 0x8000,
};

struct keys {
	LANES lane[MANY / LANE];
};

static LANES
lesser(LANES a, LANES b)
{
#ifdef __SSE2__
	return (LANES)_mm_min_epi16((__m128i)a, (__m128i)b);
#else
	LANES less = a < b;

	return (a & less) | (b & ~less);
#endif
}

/* Returns the minimum of x in every lane. */
static LANES
spread_least(LANES x)
{
	x = lesser(x, __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3));
	x = lesser(x, __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5));
	return lesser(x, __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6));
}

/* Returns two bits for each lane of a comparison. */
static uint32_t
bits(LANES x)
{
#ifdef __SSE2__
	return (uint32_t)__builtin_ia32_pmovmskb128(
	    (char __attribute__((vector_size(16))))x);
#else
	/* Bits 0 and 1 of lane k go to 48 + 2 * k and 49 + 2 * k; all bits go
	 * to different places. */
	const uint64_t two = UINT64_C(0x0003000300030003);
	const uint64_t gather = UINT64_C(1) << 48 | UINT64_C(1) << 34 |
	    1 << 20 | 1 << 6;
	uint64_t half[2];

	memcpy(half, &x, sizeof(half));
	return (uint32_t)((half[0] & two) * gather >> 48 |
	    (half[1] & two) * gather >> 48 << 8);
#endif
}

INLINE void
set(struct keys *k, unsigned lanes, unsigned i, int16_t key)
{
	LANES count = { 0, 1, 2, 3, 4, 5, 6, 7 };

#pragma GCC unroll 4
	for (unsigned j = 0; j < lanes; j++, count += LANE) {
		LANES at = count == (int16_t)i;

		k->lane[j] = (k->lane[j] & ~at) | (key & at);
	}
}

/* Returns the index of the first minimum key, and stores the key in *key. */
INLINE unsigned
find_least(const struct keys *k, unsigned lanes, int16_t *key)
{
	LANES best = k->lane[0];
	uint64_t found = 0;

#pragma GCC unroll 4
	for (unsigned j = 1; j < lanes; j++)
		best = lesser(best, k->lane[j]);
	best = spread_least(best);
	*key = best[0];
#pragma GCC unroll 4
	for (unsigned j = 0; j < lanes; j++)
		found |= (uint64_t)bits(k->lane[j] == best) << 2 * LANE * j;
	return (unsigned)__builtin_ctzll(found) / 2;
}

static int16_t
key_of(const struct npu_bpe *v, uint16_t left, uint16_t right)
{
	return (int16_t)(vocab_merged(v, left, right) - 0x8000);
}

/* Computes the first keys.  key must have room for the next multiple of FEW. */
static void
first_keys(const struct npu_bpe *v, const uint8_t *p, unsigned n,
    const uint16_t *id, int16_t *key)
{
	unsigned i;

	for (i = 0; i + 2 < n; i++)
		key[i] = (int16_t)(v->bytes[p[i]][p[i + 1]] - 0x8000);
	for (; i < n || i % FEW != 0; i++)
		key[i] = NO_KEY;
	if (n > 1)
		key[n - 2] = key_of(v, id[n - 2], id[n - 1]);
}

static void
first_ids(const struct npu_bpe *v, const uint8_t *p, unsigned n, uint16_t *id)
{
	for (unsigned i = 0; i < n; i++)
		id[i] = v->byte_id[p[i]];
	/* n >= 1: words are never empty. */
	/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
	id[n - 1] = (uint16_t)(id[n - 1] + 256);
}

/* Merges a word of at most lanes * LANE bytes.  lanes is a constant. */
INLINE size_t
merge_lanes(const struct npu_bpe *v, const uint8_t *p, unsigned n, int32_t *out,
    unsigned lanes)
{
	uint16_t id[MANY + 1];
	int16_t first[MANY], key;
	/* A bit for each position where a token begins, and a bit for the
	 * end. */
	uint64_t begin = (UINT64_C(2) << n) - 1, before;
	struct keys keys;
	unsigned i, next, prev;
	size_t count = 0;

	first_ids(v, p, n, id);
	id[n] = VOCAB_NONE;
	first_keys(v, p, n, id, first);
	memcpy(&keys, first, lanes * sizeof(LANES));
	while (i = find_least(&keys, lanes, &key), key != NO_KEY) {
		id[i] = (uint16_t)(key + 0x8000);
		next = i + 1 + (unsigned)__builtin_ctzll(begin >> i >> 1);
		begin &= ~(UINT64_C(1) << next);
		set(&keys, lanes, next, NO_KEY);
		next = i + 1 + (unsigned)__builtin_ctzll(begin >> i >> 1);
		set(&keys, lanes, i, key_of(v, id[i], id[next]));
		if ((before = begin & ((UINT64_C(1) << i) - 1)) != 0) {
			prev = 63 - (unsigned)__builtin_clzll(before);
			set(&keys, lanes, prev, key_of(v, id[prev], id[i]));
		}
	}
	for (begin &= ~(UINT64_C(1) << n); begin != 0; begin &= begin - 1)
		out[count++] = id[__builtin_ctzll(begin)];
	return count;
}

/* ---- Short words ------------------------------------------------------- */

/* Returns the index of the first minimum of n keys, and stores it in *least. */
static unsigned
find_first(const int16_t *key, unsigned n, int16_t *least)
{
	LANES x, best;
	uint32_t found;
	unsigned i;

	memcpy(&best, key, sizeof(best));
	for (i = LANE; i < n; i += LANE) {
		memcpy(&x, key + i, sizeof(x));
		best = lesser(best, x);
	}
	best = spread_least(best);
	*least = best[0];
	for (i = 0, found = 0; found == 0; i += LANE) {
		memcpy(&x, key + i, sizeof(x));
		found = bits(x == best);
	}
	return i - LANE + (unsigned)__builtin_ctz(found) / 2;
}

size_t
merge_short(const struct npu_bpe *v, const char *p, size_t n, int32_t *out)
{
	uint16_t id[MERGE_SHORT + 1];
	int16_t key[MERGE_SHORT], least;
	uint8_t next[MERGE_SHORT], prev[MERGE_SHORT + 1];
	unsigned count = (unsigned)n, i, j;

	if (count <= FEW)
		return merge_lanes(v, (const uint8_t *)p, count, out, 2);
	if (count <= MANY)
		return merge_lanes(v, (const uint8_t *)p, count, out, 4);
	first_ids(v, (const uint8_t *)p, count, id);
	id[count] = VOCAB_NONE;
	first_keys(v, (const uint8_t *)p, count, id, key);
	for (i = 0; i < count; i++) {
		next[i] = (uint8_t)(i + 1);
		prev[i + 1] = (uint8_t)i;
	}
	while (i = find_first(key, count, &least), least != NO_KEY) {
		id[i] = (uint16_t)(least + 0x8000);
		key[next[i]] = NO_KEY;
		next[i] = next[next[i]];
		prev[next[i]] = (uint8_t)i;
		key[i] = key_of(v, id[i], id[next[i]]);
		if (i > 0)
			key[prev[i]] = key_of(v, id[prev[i]], id[i]);
	}
	for (i = j = 0; i < count; i = next[i])
		out[j++] = id[i];
	return j;
}

/* ---- Long words -------------------------------------------------------- */

/* The token that begins at an offset of a part; one more node marks the end. */
struct merge_node {
	uint32_t prev, next;		/* offsets */
	uint16_t id;			/* VOCAB_NONE: no token begins here */
	uint16_t pair;			/* the token merged from this and
					 * next */
};

/* Adds merged << 32 | offset; the minimum comes first. */
static void
heap_add(uint64_t *heap, size_t *n, uint64_t x)
{
	size_t i = (*n)++;

	for (; i > 0 && heap[(i - 1) / 2] > x; i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = x;
}

static uint64_t
heap_pop(uint64_t *heap, size_t *n)
{
	uint64_t first = heap[0], x = heap[--*n];
	size_t i = 0, k;

	while ((k = 2 * i + 1) < *n) {
		k += k + 1 < *n && heap[k + 1] < heap[k];
		if (heap[k] >= x)
			break;
		heap[i] = heap[k];
		i = k;
	}
	heap[i] = x;
	return first;
}

/* Initialises the nodes of p[0..n).  final: the word ends there. */
static void
init_nodes(struct merge_part *a, const struct npu_bpe *v, const char *p,
    size_t n, bool final)
{
	for (uint32_t i = 0; i < n; i++)
		a->node[i] = (struct merge_node){ i - (i > 0), i + 1,
		    v->byte_id[(uint8_t)p[i]], VOCAB_NONE };
	if (final)
		a->node[n - 1].id = (uint16_t)(a->node[n - 1].id + 256);
	a->n = n;
}

static void
look(const struct npu_bpe *v, struct merge_part *a, uint32_t i,
    uint64_t *heap, size_t *n)
{
	struct merge_node *t = &a->node[i];

	t->pair = t->next == a->n ? VOCAB_NONE :
	    vocab_merged(v, t->id, a->node[t->next].id);
	if (t->pair != VOCAB_NONE)
		heap_add(heap, n, (uint64_t)t->pair << 32 | i);
}

static void
merge_part(struct merger *m, struct merge_part *a, const struct npu_bpe *v,
    const char *p, size_t n, bool final)
{
	struct merge_node *t;
	size_t waiting = 0;
	uint64_t best;
	uint32_t i;

	init_nodes(a, v, p, n, final);
	for (i = 0; i < n; i = a->node[i].next)
		look(v, a, i, m->heap, &waiting);
	while (waiting > 0) {
		best = heap_pop(m->heap, &waiting);
		i = (uint32_t)best;
		t = &a->node[i];
		if (t->id == VOCAB_NONE || t->pair != best >> 32)
			continue;	/* merged with another token since */
		a->node[t->next].id = VOCAB_NONE;
		t->id = t->pair;
		t->next = a->node[t->next].next;
		a->node[t->next].prev = i;
		look(v, a, i, m->heap, &waiting);
		if (i > 0)
			look(v, a, t->prev, m->heap, &waiting);
	}
}

/* Allocates memory for parts of n bytes.  The old contents are lost. */
static bool
reserve(struct merger *m, size_t n)
{
	if (n <= m->cap)
		return true;
	merge_free(m);
	m->part.node = malloc((n + 1) * sizeof(*m->part.node));
	m->next.node = malloc((n + 1) * sizeof(*m->next.node));
	/* A merge removes one item from the heap, adds two, and removes a
	 * token. */
	m->heap = malloc(2 * n * sizeof(*m->heap));
	if (m->part.node == NULL || m->next.node == NULL || m->heap == NULL) {
		merge_free(m);
		return false;
	}
	m->cap = n;
	return true;
}

/* Returns the first offset from at on where both parts have the same token, or
 * part.n; next begins at offset at of part. */
static size_t
agreed(const struct merger *m, size_t at)
{
	size_t i = at;

	for (; i < m->part.n && i - at < m->next.n; i++)
		if (m->part.node[i].id != VOCAB_NONE &&
		    m->part.node[i].id == m->next.node[i - at].id)
			return i;
	return m->part.n;
}

static size_t
write_ids(const struct merge_part *a, size_t from, size_t end, int32_t *id)
{
	size_t n = 0;

	for (size_t i = from; i < end; i = a->node[i].next)
		id[n++] = a->node[i].id;
	return n;
}

/* Merges the part of the word p[0..n) that begins at from: cap bytes, or the
 * rest. */
static void
make_part(struct merger *m, struct merge_part *a, const struct npu_bpe *v,
    const char *p, size_t n, size_t from)
{
	size_t len = n - from < m->cap ? n - from : m->cap;

	merge_part(m, a, v, p + from, len, from + len == n);
}

/* Merges a word in parts.  Returns false if two parts do not agree anywhere. */
static bool
merge_parts(struct merger *m, const struct npu_bpe *v, const char *p, size_t n,
    int32_t *id, size_t *count)
{
	size_t at = 0, from = 0, next, same;
	struct merge_part was;

	*count = 0;
	make_part(m, &m->part, v, p, n, 0);
	while (at + m->part.n < n) {
		next = m->part.n - m->part.n / OVERLAP;
		while (m->part.node[next].id == VOCAB_NONE)
			next++;
		make_part(m, &m->next, v, p, n, at + next);
		if ((same = agreed(m, next)) == m->part.n)
			return false;
		*count += write_ids(&m->part, from, same, id + *count);
		was = m->part;
		m->part = m->next;
		m->next = was;
		at += next;
		from = same - next;
	}
	*count += write_ids(&m->part, from, m->part.n, id + *count);
	return true;
}

static size_t
merge_long(struct merger *m, const struct npu_bpe *v, const char *p, size_t n,
    int32_t *id)
{
	size_t count;

	if (!reserve(m, PART))
		return 0;
	while (!merge_parts(m, v, p, n, id, &count))
		if (!reserve(m, 2 * m->cap))
			return 0;
	if (m->cap > PART)
		merge_free(m);
	return count;
}

size_t
merge_word(struct merger *m, const struct npu_bpe *v, const char *p, size_t n,
    int32_t *id)
{
	return n <= MERGE_SHORT ? merge_short(v, p, n, id) :
	    merge_long(m, v, p, n, id);
}

void
merge_free(struct merger *m)
{
	free(m->part.node);
	free(m->next.node);
	free(m->heap);
	*m = (struct merger){ 0 };
}
