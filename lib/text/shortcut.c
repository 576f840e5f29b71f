// SPDX-License-Identifier: Apache-2.0
/*
 * What a word or a character becomes, worked out beforehand: most words of
 * captions are one token, most characters of other scripts too.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "text/merge.h"

size_t
vocab_spell(const struct npu_bpe *v, uint32_t id, char *bytes)
{
	uint16_t rest[VOCAB_MOST_TOKEN];
	size_t n = 0, waiting = 0;

	for (;;) {
		while (id >= VOCAB_FIRST_MERGE) {
			rest[waiting++] = (uint16_t)v->half[id];
			id = v->half[id] >> 16;
		}
		bytes[n++] = (char)v->byte_of[id % 256];
		if (waiting == 0)
			return n;
		id = rest[--waiting];
	}
}

/* ---- Words ------------------------------------------------------------- */

static void
add_word(struct npu_bpe *v, const char *p, size_t n, uint32_t id)
{
	struct vocab_word k = vocab_key(p, n);
	uint32_t i = vocab_word_hash(k);

	while (v->word[i].high != 0)
		i = (i + 1) % VOCAB_WORDS;
	v->word[i] = k;
	v->word[i].high |= (uint64_t)id << 48;
}

/* A word is not always what its bytes merge to: other merges may come first. */
static void
add_words(struct npu_bpe *v)
{
	char word[VOCAB_MOST_TOKEN + VOCAB_READ] = { 0 };
	int32_t id[MERGE_SHORT];

	for (uint32_t k = 256; k < NPU_CLIP_START; k++) {
		size_t n;

		if (!vocab_final(v, k) ||
		    (n = vocab_spell(v, k, word)) > VOCAB_WORD)
			continue;
		if (merge_short(v, word, n, id) == 1 && id[0] == (int32_t)k)
			add_word(v, word, n, k);
	}
}

/* ---- Characters -------------------------------------------------------- */

/*
 * The first merge that a token has with anything before it, and with anything
 * behind it that begins a character.
 */
struct neighbours {
	uint16_t before[VOCAB_TOKENS], after[VOCAB_TOKENS];
};

static bool
continues(const struct npu_bpe *v, uint32_t id)
{
	while (id >= VOCAB_FIRST_MERGE)
		id = v->half[id] >> 16;
	return (v->byte_of[id % 256] & 0xc0) == 0x80;
}

static void
find_neighbours(const struct npu_bpe *v, struct neighbours *b)
{
	memset(b, 0xff, sizeof(*b));
	for (uint32_t k = NPU_CLIP_START; k-- > VOCAB_FIRST_MERGE; ) {
		uint32_t left = v->half[k] >> 16, right = v->half[k] & 0xffff;

		b->before[right] = (uint16_t)k;
		if (!continues(v, right))
			b->after[left] = (uint16_t)k;
	}
}

/*
 * The token that the n bytes of a character become wherever it stands within
 * a word of valid UTF-8, or 0: each merge of a part of it with a neighbour
 * must come after the token was made.
 */
static uint16_t
alone(const struct npu_bpe *v, const struct neighbours *b, const char *p,
    size_t n)
{
	uint16_t id[3], pair, last;

	for (size_t i = 0; i < n; i++)
		id[i] = v->byte_id[(uint8_t)p[i]];
	pair = vocab_merged(v, id[0], id[1]);
	if (n == 2)
		return pair != VOCAB_NONE && b->before[id[0]] > pair &&
		    b->after[id[1]] > pair ? pair : 0;
	last = vocab_merged(v, id[1], id[2]);
	if (pair < last) {
		last = vocab_merged(v, pair, id[2]);
		return last != VOCAB_NONE && b->before[id[0]] > last &&
		    b->before[pair] > last && b->after[id[2]] > last ? last : 0;
	}
	if (last == VOCAB_NONE ||
	    (pair = vocab_merged(v, id[0], last)) == VOCAB_NONE)
		return 0;
	return b->before[id[0]] > pair && b->after[id[2]] > pair &&
	    b->after[last] > pair ? pair : 0;
}

bool
vocab_shortcuts(struct npu_bpe *v)
{
	struct neighbours *b = malloc(sizeof(*b));
	char p[4];

	if (b == NULL)
		return false;
	add_words(v);
	find_neighbours(v, b);
	for (uint32_t c = 0x80; c < 0x10000; c++)
		if (c < 0xd800 || c > 0xdfff)
			v->point[c] = alone(v, b, p, utf8_encode(c, p));
	free(b);
	return true;
}
