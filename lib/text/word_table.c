// SPDX-License-Identifier: Apache-2.0
/* A table, computed in advance, of the words that are a single token; most
 * words of captions are. */
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

static void
add_word(struct npu_bpe *v, const char *p, size_t n, uint32_t id)
{
	struct word_table_entry k = word_table_key(p, n);
	uint32_t h = word_table_hash(k), i = word_table_slot(h);

	v->seen[h / 64] |= UINT64_C(1) << h % 64;
	while (v->word[i].high != 0)
		i = (i + 1) % WORD_TABLE_SLOTS;
	v->word[i] = k;
	v->word[i].high |= (uint64_t)id << 48;
}

/* A word may be spelled like a token without merging into it, because other
 * merges may come first. */
void
word_table_fill(struct npu_bpe *v)
{
	char word[VOCAB_MOST_TOKEN + WORD_TABLE_READ] = { 0 };
	int32_t id[MERGE_SHORT];

	for (uint32_t k = 256; k < NPU_CLIP_START; k++) {
		size_t n;

		if (!vocab_final(v, k) ||
		    (n = vocab_spell(v, k, word)) > WORD_TABLE_LONGEST)
			continue;
		if (merge_short(v, word, n, id) == 1 && id[0] == (int32_t)k)
			add_word(v, word, n, k);
	}
}
