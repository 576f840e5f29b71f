// SPDX-License-Identifier: Apache-2.0
/*
 * bpe() of simple_tokenizer.py: of all pairs of neighbours the one that comes
 * first in the vocabulary is merged, wherever it stands, from left to right,
 * until no pair is in the vocabulary.  A merge only makes pairs whose merges
 * come later (vocab.c has refused anything else).
 *
 * A short word is searched for the best pair each time.  A long one is cut
 * into parts that overlap, and each has a heap.  Where two parts have the same
 * token in the same place, the first up to there and the second from there on
 * are what the whole word would have become: no merge crossed the ends of that
 * token in either, and what would cross them first in the whole word would
 * have done so in one of them.  So time and memory do not depend on more than
 * a part, unless two parts agree nowhere; then they are made larger.
 */
#include <stdlib.h>
#include <string.h>

#include "text/merge.h"

enum {
	PART = 4096,		/* bytes of a part, at first */
	OVERLAP = 4,		/* a part of a part that is in the next too */
	NO_KEY = INT32_MAX,
};

/* ---- Short words ------------------------------------------------------- */

/* What orders the pair that i begins: its token, then its place. */
static int32_t
key_of(const struct npu_bpe *v, uint16_t left, uint16_t right, unsigned i)
{
	uint16_t merged = vocab_merged(v, left, right);

	return merged == VOCAB_NONE ? NO_KEY : (int32_t)(merged << 8 | i);
}

static int32_t
least(const int32_t *key, unsigned n)
{
	int32_t best = NO_KEY;

	for (unsigned i = 0; i < n; i++)
		best = key[i] < best ? key[i] : best;
	return best;
}

size_t
merge_short(const struct npu_bpe *v, const char *p, size_t n, int32_t *out)
{
	uint16_t id[MERGE_SHORT];
	uint8_t next[MERGE_SHORT], prev[MERGE_SHORT + 1];
	int32_t key[MERGE_SHORT], best;
	unsigned count = (unsigned)n, all = (count + 7) / 8 * 8, i, j;

	for (i = 0; i < count; i++) {
		id[i] = v->byte_id[(uint8_t)p[i]];
		next[i] = (uint8_t)(i + 1);
		prev[i + 1] = (uint8_t)i;
	}
	id[count - 1] = (uint16_t)(id[count - 1] + 256);
	for (i = 0; i + 2 < count; i++) {
		uint16_t two = v->bytes[(uint8_t)p[i]][(uint8_t)p[i + 1]];

		key[i] = two == 0 ? NO_KEY : (int32_t)(two << 8 | i);
	}
	if (i + 1 < count) {
		key[i] = key_of(v, id[i], id[i + 1], i);
		i++;
	}
	for (; i < all; i++)
		key[i] = NO_KEY;
	while ((best = least(key, all)) != NO_KEY) {
		i = best & 0xff;
		j = next[i];
		id[i] = (uint16_t)(best >> 8);
		next[i] = next[j];
		prev[next[i]] = (uint8_t)i;
		key[j] = NO_KEY;
		key[i] = next[i] == count ? NO_KEY :
		    key_of(v, id[i], id[next[i]], i);
		if (i > 0)
			key[prev[i]] = key_of(v, id[prev[i]], id[i], prev[i]);
	}
	for (i = j = 0; i < count; i = next[i])
		out[j++] = id[i];
	return j;
}

/* ---- Long words -------------------------------------------------------- */

/* The token that begins at an offset of a part; there is one past the end. */
struct merge_node {
	uint32_t prev, next;		/* offsets */
	uint16_t id;			/* VOCAB_NONE: none begins here */
	uint16_t pair;			/* what it makes with next */
};

/* merged << 32 | offset, the least first. */
static void
heap_add(uint64_t *heap, size_t *n, uint64_t x)
{
	size_t i = (*n)++;

	for (; i > 0 && heap[(i - 1) / 2] > x; i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = x;
}

static uint64_t
heap_take(uint64_t *heap, size_t *n)
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

/* The nodes of p[0..n); final if the word ends there. */
static void
lay(struct merge_part *a, const struct npu_bpe *v, const char *p, size_t n,
    bool final)
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

	lay(a, v, p, n, final);
	for (i = 0; i < n; i = a->node[i].next)
		look(v, a, i, m->heap, &waiting);
	while (waiting > 0) {
		best = heap_take(m->heap, &waiting);
		i = (uint32_t)best;
		t = &a->node[i];
		if (t->id == VOCAB_NONE || t->pair != best >> 32)
			continue;	/* merged with another since */
		a->node[t->next].id = VOCAB_NONE;
		t->id = t->pair;
		t->next = a->node[t->next].next;
		a->node[t->next].prev = i;
		look(v, a, i, m->heap, &waiting);
		if (i > 0)
			look(v, a, t->prev, m->heap, &waiting);
	}
}

/* Memory for parts of n bytes; what was in them is lost. */
static bool
reserve(struct merger *m, size_t n)
{
	if (n <= m->cap)
		return true;
	merge_free(m);
	m->part.node = malloc((n + 1) * sizeof(*m->part.node));
	m->next.node = malloc((n + 1) * sizeof(*m->next.node));
	/* A merge takes one off the heap, adds two, and leaves a token less. */
	m->heap = malloc(2 * n * sizeof(*m->heap));
	if (m->part.node == NULL || m->next.node == NULL || m->heap == NULL) {
		merge_free(m);
		return false;
	}
	m->cap = n;
	return true;
}

/* The first offset from at on where both parts have the same token; next
 * begins at offset at of part.  part.n if there is none. */
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

/* The part of the word p[0..n) that begins at from; cap bytes, or its rest. */
static void
make_part(struct merger *m, struct merge_part *a, const struct npu_bpe *v,
    const char *p, size_t n, size_t from)
{
	size_t len = n - from < m->cap ? n - from : m->cap;

	merge_part(m, a, v, p + from, len, from + len == n);
}

/* False if two parts agree nowhere. */
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
