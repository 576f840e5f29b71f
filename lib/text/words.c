// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "text/words.h"

int32_t *
words_grow(struct npu_tokenizer *c, size_t n)
{
	size_t cap = c->cap < 128 ? 128 : c->cap;
	int32_t *id;

	while (cap - c->n < n)
		cap *= 2;
	if ((id = realloc(c->id, cap * sizeof(*id))) == NULL)
		return NULL;
	c->id = id;
	c->cap = cap;
	return c->id + c->n;
}

const char *
words_mark(uint32_t id)
{
	return id == NPU_CLIP_START ? "<|startoftext|>" : "<|endoftext|>";
}

/* Returns the id of a mark that is a whole word: the reference's cache begins
 * with the two marks. */
static uint16_t
find_mark(const struct text_word *w)
{
	for (uint16_t k = NPU_CLIP_START; k <= NPU_CLIP_END; k++)
		if (strlen(words_mark(k)) == w->n &&
		    memcmp(words_mark(k), w->p, w->n) == 0)
			return k;
	return VOCAB_NONE;
}

/* Adds a word that is not a single token. */
static bool
add_parts(struct npu_tokenizer *c, const char *p, size_t n, bool keep)
{
	int32_t *id = words_room(c, n < CACHE_IDS ? CACHE_IDS : n);
	struct cache_key key;
	size_t ids;

	if (id == NULL)
		return false;
	if (n > CACHE_KEY || !keep) {
		ids = merge_word(&c->merger, c->bpe, p, n, id);
		c->n += ids;
		return ids > 0;
	}
	cache_key(&key, p, n);
	ids = cache_find(&c->cache, CACHE_WORD, &key, id);
	if (ids == 0) {
		ids = merge_short(c->bpe, p, n, id);
		cache_add(&c->cache, CACHE_WORD, &key, id, ids);
	}
	c->n += ids;
	return true;
}

bool
words_add_one(struct npu_tokenizer *c, const struct text_word *w, bool keep)
{
	uint16_t one = VOCAB_NONE;
	int32_t *id;

	if (*w->p == '<')
		one = find_mark(w);
	if (one == VOCAB_NONE && w->n <= WORD_TABLE_LONGEST)
		one = word_table_find(c->bpe, word_table_key(w->p, w->n));
	if (one == VOCAB_NONE)
		return add_parts(c, w->p, w->n, keep);
	if ((id = words_room(c, 1)) == NULL)
		return false;
	*id = one;
	c->n++;
	return true;
}

bool
words_add(struct npu_tokenizer *c, const char *at, const char *end)
{
	struct text_word w;

	while (text_word(&at, end, c->special, &w))
		if (!words_add_one(c, &w, true))
			return false;
	return true;
}

bool
words_add_mark(struct npu_tokenizer *c, int32_t mark)
{
	int32_t *id = words_room(c, 1);

	if (id == NULL)
		return false;
	*id = mark;
	c->n++;
	return true;
}
