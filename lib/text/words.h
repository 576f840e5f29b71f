/* SPDX-License-Identifier: Apache-2.0 */
/* Add the ids of words of a clean text to the tokenizer's ids.  The functions
 * fail if out of memory. */
#ifndef TEXT_WORDS_H
#define TEXT_WORDS_H

#include "text/split.h"
#include "text/tokenizer.h"

/* Adds a word.  With keep, it is looked up in the cache, and stored there.
 * WORD_TABLE_READ bytes from its start must be readable. */
bool words_add_one(struct npu_tokenizer *c, const struct text_word *w,
    bool keep);
/* Adds all words from at to end.  The same number of bytes must be readable
 * after end. */
bool words_add(struct npu_tokenizer *c, const char *at, const char *end);
/* Adds NPU_CLIP_START or NPU_CLIP_END. */
bool words_add_mark(struct npu_tokenizer *c, int32_t mark);

/* Returns the text of a mark. */
const char *words_mark(uint32_t id);

int32_t *words_grow(struct npu_tokenizer *c, size_t n);

/* Makes room for n more ids, which nearly always exists already. */
static inline int32_t *
words_room(struct npu_tokenizer *c, size_t n)
{
	return c->cap - c->n >= n && c->id != NULL ? c->id + c->n :
	    words_grow(c, n);
}

#endif
