// SPDX-License-Identifier: Apache-2.0
/*
 * bpe() of simple_tokenizer.py: of all pairs of neighbours the one that comes
 * first in the vocabulary is merged, wherever it stands, from left to right,
 * until no pair is in the vocabulary.
 *
 * A short word is searched for the best pair each time.  A long one has a
 * queue of places for each merge.  A merge only makes pairs whose merges come
 * later (vocab.c has refused anything else), so the queues are emptied in
 * order, each full before it is looked at.  And each is in the order of the
 * text: all its places were added while one earlier queue was emptied (that of
 * the later of its two halves), or at the start, from left to right.  Hence
 * the time is proportional to the length, for any text.
 */
#include <stdlib.h>
#include <string.h>

#include "text/merge.h"

enum {
	SHORT = 32,		/* bytes of a word that is searched */
	KEPT = 1 << 16,		/* nodes of memory that a merger holds on to */
	NONE = 0,		/* no node: they count from 1 */
	WORDS = (VOCAB_TOKENS + 63) / 64,
};

/* A token of the word, and its place in the queue of the pair it begins. */
struct merge_node {
	uint32_t prev, next;		/* in the word */
	uint32_t before, after;		/* in the queue */
	uint16_t id;
	uint16_t pair;			/* what it makes with next */
};

/* By the id of the merged token. */
struct merge_queue {
	uint32_t first[VOCAB_TOKENS], last[VOCAB_TOKENS];
	uint64_t used[WORDS];		/* bit: first is not NONE */
};

/* ---- Short words ------------------------------------------------------- */

static size_t
merge_short(const struct npu_bpe *v, const char *p, size_t n, int32_t *out)
{
	uint16_t id[SHORT], pair[SHORT];
	size_t i, best;

	for (i = 0; i < n; i++)
		id[i] = v->byte_id[(uint8_t)p[i]];
	id[n - 1] = (uint16_t)(id[n - 1] + 256);
	for (i = 0; i + 1 < n; i++)
		pair[i] = vocab_merged(v, id[i], id[i + 1]);
	while (n > 1) {
		for (best = 0, i = 1; i + 1 < n; i++)
			if (pair[i] < pair[best])
				best = i;
		if (pair[best] == VOCAB_NONE)
			break;
		id[best] = pair[best];
		n--;
		for (i = best + 1; i < n; i++) {
			id[i] = id[i + 1];
			pair[i - 1] = pair[i];
		}
		if (best + 1 < n)
			pair[best] = vocab_merged(v, id[best], id[best + 1]);
		if (best > 0)
			pair[best - 1] = vocab_merged(v, id[best - 1],
			    id[best]);
	}
	for (i = 0; i < n; i++)
		out[i] = id[i];
	return n;
}

/* ---- Long words -------------------------------------------------------- */

/* Queues the pair that node i begins, if the vocabulary has it. */
static void
push(struct merger *m, const struct npu_bpe *v, uint32_t i)
{
	struct merge_node *a = &m->node[i];
	struct merge_queue *q = m->queue;

	a->pair = VOCAB_NONE;
	if (a->next == NONE)
		return;
	a->pair = vocab_merged(v, a->id, m->node[a->next].id);
	if (a->pair == VOCAB_NONE)
		return;
	a->after = NONE;
	if (q->used[a->pair / 64] >> a->pair % 64 & 1) {
		a->before = q->last[a->pair];
		m->node[a->before].after = i;
	} else {
		a->before = NONE;
		q->first[a->pair] = i;
		q->used[a->pair / 64] |= UINT64_C(1) << a->pair % 64;
	}
	q->last[a->pair] = i;
}

/* Takes node i out of the queue it is in, if any. */
static void
drop(struct merger *m, uint32_t i)
{
	struct merge_node *a = &m->node[i];
	struct merge_queue *q = m->queue;

	if (a->pair == VOCAB_NONE)
		return;
	if (a->before != NONE)
		m->node[a->before].after = a->after;
	else
		q->first[a->pair] = a->after;
	if (a->after != NONE)
		m->node[a->after].before = a->before;
	else
		q->last[a->pair] = a->before;
	if (q->first[a->pair] == NONE)
		q->used[a->pair / 64] &= ~(UINT64_C(1) << a->pair % 64);
	a->pair = VOCAB_NONE;
}

/* Node i and its right neighbour become the token id. */
static void
join(struct merger *m, const struct npu_bpe *v, uint32_t i, uint16_t id)
{
	struct merge_node *a = &m->node[i], *b = &m->node[a->next];

	drop(m, i);
	drop(m, a->next);
	a->id = id;
	a->next = b->next;
	if (a->next != NONE)
		m->node[a->next].prev = i;
	if (a->prev != NONE) {
		drop(m, a->prev);
		push(m, v, a->prev);
	}
	push(m, v, i);
}

static bool
reserve(struct merger *m, size_t n)
{
	if (m->queue == NULL &&
	    (m->queue = calloc(1, sizeof(*m->queue))) == NULL)
		return false;
	if (n <= m->cap)
		return true;
	free(m->node);
	m->cap = 0;
	if ((m->node = malloc(n * sizeof(*m->node))) == NULL)
		return false;
	m->cap = n;
	return true;
}

static size_t
merge_long(struct merger *m, const struct npu_bpe *v, const char *p, size_t n,
    int32_t *out)
{
	struct merge_queue *q;
	size_t count = 0;

	if (!reserve(m, n + 1))
		return 0;
	q = m->queue;
	for (uint32_t i = 1; i <= n; i++) {
		m->node[i] = (struct merge_node){ .prev = i - 1,
		    .next = i < n ? i + 1 : NONE,
		    .id = v->byte_id[(uint8_t)p[i - 1]] };
	}
	m->node[n].id = (uint16_t)(m->node[n].id + 256);
	for (uint32_t i = 1; i <= n; i++)
		push(m, v, i);
	for (size_t w = 0; w < WORDS; w++) {
		while (q->used[w] != 0) {
			size_t id = w * 64 +
			    (size_t)__builtin_ctzll(q->used[w]);

			join(m, v, q->first[id], (uint16_t)id);
		}
	}
	for (uint32_t i = 1; i != NONE; i = m->node[i].next)
		out[count++] = m->node[i].id;
	if (m->cap > KEPT) {
		free(m->node);
		m->node = NULL;
		m->cap = 0;
	}
	return count;
}

size_t
merge_word(struct merger *m, const struct npu_bpe *v, const char *p, size_t n,
    int32_t *id)
{
	return n <= SHORT ? merge_short(v, p, n, id) :
	    merge_long(m, v, p, n, id);
}

void
merge_free(struct merger *m)
{
	free(m->node);
	free(m->queue);
	*m = (struct merger){ 0 };
}
